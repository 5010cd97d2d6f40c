import * as Conformance from "../../transport/test/Conformance.js"
import { eventStream } from "../../transport/test/Conformance.js"
import * as GoogleGemini from "../src/GoogleGemini.js"

const stream = (chunks: ReadonlyArray<unknown>) =>
  eventStream(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join(""))

const said = (text: string) => ({ candidates: [{ content: { parts: [{ text }], role: "model" }, index: 0 }] })

Conformance.conformance({
  name: "GoogleGemini",
  corpus: "google-gemini",
  make: GoogleGemini.make,
  baseUrl: ({ origin }) => origin,
  begun: [said("Hel")],
  stream,
  refusals: []
})
