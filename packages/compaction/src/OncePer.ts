/** A pure function of an object that never changes, worked out once for each: the answer lives as long as the object. */
export const oncePer = <K extends object, A extends {}>(of: (key: K) => A): (key: K) => A => {
  const known = new WeakMap<K, A>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const made = of(key)
    known.set(key, made)
    return made
  }
}
