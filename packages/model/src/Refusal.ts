/** Why the system refused something, in words. What a platform's error says of itself names functions and codes. */

/** A platform's error, as far as it matters: this package knows no platform. */
export interface Refusal {
  readonly _tag: "BadArgument" | "SystemError"
  readonly message: string
  readonly reason?: string
  readonly description?: string | undefined
  readonly cause?: unknown
}

const byCode: { readonly [code: string]: string } = {
  EDQUOT: "your quota of disk space is used up",
  EFBIG: "it would be too large",
  EISDIR: "it is a directory",
  ELOOP: "its links lead in a circle",
  EMFILE: "too many files are open",
  ENAMETOOLONG: "its name is too long",
  ENOSPC: "no space is left on the disk",
  ENOTDIR: "a part of its path is no directory",
  EROFS: "the disk can only be read"
}

const byReason: { readonly [reason: string]: string } = {
  AlreadyExists: "it exists already",
  Busy: "it is in use",
  NotFound: "it does not exist",
  PermissionDenied: "permission is denied",
  TimedOut: "it takes too long"
}

/** Such as ENOENT; empty where none is known. */
const codeOf = ({ cause, description = "" }: Refusal): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : /^E[A-Z0-9]+(?=:)/.exec(description)?.[0] ?? ""

/** Completes a sentence such as "It cannot be read: ". */
export const words = (error: Refusal): string => {
  const { cause, description, reason = "" } = error
  if (error._tag === "BadArgument") return description ?? "it is not a valid path"
  return byCode[codeOf(error)] ?? byReason[reason] ??
    (cause instanceof Error ? cause.message : description ?? `the system says ${reason}`)
}

const isRefusal = (error: object): error is Refusal =>
  "_tag" in error && (error._tag === "BadArgument" || error._tag === "SystemError")

/** What stands in brackets behind a sentence: of any error what it says, else the words and the code to search for. */
export const detail = (error: { readonly message: string }): string => {
  if (!isRefusal(error)) return error.message
  const code = codeOf(error)
  const said = words(error)
  return code === "" || said.includes(code) ? said : `${said}, ${code}`
}
