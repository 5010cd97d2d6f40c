/** An image that a request to the OpenAI APIs holds or points to. */
import type { Image } from "@weir/model/Conversation"

/** `url` is an address or a data URL. */
export const read = (url: string): Image => {
  const [head = "", data = ""] = url.split(",", 2)
  return url.startsWith("data:")
    ? { data, mediaType: head.slice("data:".length).replace(/;base64$/i, "") }
    : { data: url, mediaType: "text/uri-list" }
}
