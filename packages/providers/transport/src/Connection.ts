/** Why a connection failed, read from the chain of causes that it is wrapped in. */

interface Trouble {
  /** The system's code, or our own words where there is none. */
  readonly code: RegExp
  readonly says: string
  /** `refused`: nobody is there. `broken`: trying again may help. `wrong`: it never will. */
  readonly kind: "refused" | "broken" | "wrong"
}

const troubles: ReadonlyArray<Trouble> = [
  { code: /^ECONNREFUSED$/, kind: "refused", says: "it refuses connections; no server is listening there" },
  { code: /^ENOTFOUND$/, kind: "refused", says: "there is no such host name" },
  { code: /^EAI_AGAIN$/, kind: "broken", says: "its name cannot be looked up at the moment" },
  { code: /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, kind: "broken", says: "the connection broke" },
  { code: /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, kind: "broken", says: "the connection was not established in time" },
  { code: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)$/, kind: "broken", says: "no network leads there" },
  {
    code: /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    kind: "wrong",
    says: "it does not speak TLS; should the address begin with http:// ?"
  },
  { code: /^HPE_\w+$/, kind: "wrong", says: "it does not speak HTTP" },
  {
    code: /^(ERR_INVALID_URL|Invalid URL|unknown scheme)$/,
    kind: "wrong",
    says: "this is no address of a server"
  },
  {
    code: /^(\w*CERT\w*|\w*SELF_SIGNED\w*|UNABLE_TO_\w+)$/,
    kind: "wrong",
    says: "its TLS certificate is not trusted; name its authority in NODE_EXTRA_CA_CERTS"
  }
]

export interface Connection {
  readonly kind: Trouble["kind"]
  /** What happened, and the system's own code or words in parentheses. */
  readonly text: string
}

const longest = 8

/** An error and what caused it, outermost first. */
export const causes = (error: unknown): ReadonlyArray<object> => {
  const chain: Array<object> = []
  let next = error
  while (typeof next === "object" && next !== null && chain.length < longest) {
    chain.push(next)
    next = "cause" in next
      ? next.cause
      : next instanceof AggregateError
      ? next.errors[0]
      : undefined
  }
  return chain
}

const textOf = (error: object, key: "code" | "message"): string => {
  const value: unknown = key in error ? Reflect.get(error, key) : undefined
  return typeof value === "string" ? value : ""
}

/** A flaw of the program, or of its installation, which no second try mends; fetch itself throws two such errors. */
const isFlaw = (error: object): boolean =>
  (error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError) &&
  !/^(fetch failed|terminated)$/.test(error.message)

export const read = (error: unknown): Connection => {
  const chain = causes(error)
  for (const { code, kind, says } of troubles) {
    const found = chain
      .flatMap((cause) => [textOf(cause, "code"), textOf(cause, "message")])
      .find((name) => code.test(name))
    if (found !== undefined) return { kind, text: `${says} (${found})` }
  }
  const innermost = chain.map((cause) => textOf(cause, "message")).findLast((message) => message !== "")
  const kind = chain.some(isFlaw) ? "wrong" : "broken"
  return { kind, text: `the request failed (${innermost ?? String(error)})` }
}
