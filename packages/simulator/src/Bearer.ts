/** The key in an `Authorization` header. */
export const bearer = (headers: Readonly<Record<string, string | undefined>>): string | undefined =>
  /^Bearer\s+(\S+)$/i.exec(headers.authorization ?? "")?.[1]
