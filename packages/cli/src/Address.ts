/** The address of an API. It may have been given with a password in it, which no complaint repeats. */
import * as Schema from "effect/Schema"

const found = (text: string) => /[@?#]/.test(text) ? "" : `, actual "${text}"`

const trouble = (text: string): string | undefined => {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    return `Expected an address that begins with http:// or https://${found(text)}`
  }
  const { hash, password, search, username } = new URL(text)
  if (username !== "" || password !== "") {
    return "Expected an address without user name and password; put the key in an environment variable, " +
      "or send a header"
  }
  return search === "" && hash === "" ? undefined : "Expected an address without ? and #"
}

/** An absolute http or https address. */
export const Address = Schema.String.pipe(Schema.filter(trouble))
