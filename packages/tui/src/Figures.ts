/** Numbers as people read them. */

/** 12,345 */
export const grouped = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ",")

/** 999, 1.2k, 45k, 1.3M */
export const short = (count: number): string => {
  if (count < 1_000) return String(count)
  const [value, unit] = count < 999_500 ? [count / 1_000, "k"] : [count / 1_000_000, "M"]
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`
}

/** 0.4s, 12s, 3m 05s */
export const duration = (millis: number): string => {
  const seconds = Math.max(0, millis) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)}s`
  if (seconds < 59.5) return `${Math.round(seconds)}s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}m ${String(whole % 60).padStart(2, "0")}s`
}

/** $0.0042, $1.30 */
export const dollars = (amount: number): string => `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`
