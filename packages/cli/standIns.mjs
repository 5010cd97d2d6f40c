/** What the build puts in the place of packages and of lines in them, so that a start does not pay for them. */
import * as fs from "node:fs/promises"
import { fileURLToPath } from "node:url"

/** Modules that stand in for packages, by name. */
const standIns = {
  /** An SDK's Headers and Response become the global ones: Node would load its own copy of undici for them. */
  "@anthropic-ai/sdk": `
    import "weir:globals"
    export { Anthropic } from "@anthropic-ai/sdk"`,
  "@google/genai/web": `
    import "weir:globals"
    export * from "@google/genai/web"`,
  "openai": `
    import "weir:globals"
    export * from "openai"`,
  /** The few parts of it that are used; the package itself loads all. */
  "undici": `
    import Agent from "undici/lib/dispatcher/agent.js"
    import redirect from "undici/lib/interceptor/redirect.js"
    export default { Agent, interceptors: { redirect } }`,
  /** Node's HTTP/2, which it wants at once, is slow to load and never used. */
  "undici/http2": `
    module.exports = (...args) => require("undici/lib/dispatcher/client-h2.js")(...args)`,
  /** In this order: Request needs what Response defines. */
  "weir:globals": `
    import { Response } from "undici/lib/web/fetch/response.js"
    import { Request } from "undici/lib/web/fetch/request.js"
    import { Headers } from "undici/lib/web/fetch/headers.js"
    import { FormData } from "undici/lib/web/fetch/formdata.js"
    Object.assign(globalThis, { FormData, Headers, Request, Response })`
}

/** Resolved where `undici` is a dependency. */
const transport = fileURLToPath(new URL("../providers/transport", import.meta.url))

export const standIn = {
  name: "stand-in",
  setup: (building) => {
    building.onResolve(
      { filter: /^(@anthropic-ai\/sdk|@google\/genai\/web|openai|undici|weir:globals)$/ },
      ({ namespace, path: name, resolveDir }) => {
        if (namespace === "stand-in" && name !== "weir:globals") return
        return {
          namespace: "stand-in",
          path: name,
          pluginData: /^(undici|weir:globals)$/.test(name) ? transport : resolveDir
        }
      }
    )
    building.onResolve(
      { filter: /^\.\/client-h2\.js$/ },
      () => ({ namespace: "stand-in", path: "undici/http2", pluginData: transport })
    )
    building.onLoad({ filter: /.*/, namespace: "stand-in" }, ({ path: name, pluginData }) => ({
      contents: standIns[name],
      resolveDir: pluginData
    }))
  }
}

/**
 * Lines, by the end of their file's path. Node's HTTP and ICU objects cannot be part of a snapshot: they wait for their
 * first use. Effect's logger for people, which we do not use, asks standard output for its colours at once.
 */
const changes = new Map(Object.entries({
  "/effect/dist/esm/internal/logger.js": [
    [/hasProcessStdout = .*;/, "hasProcessStdout = true;"],
    [/processStdoutIsTTY = .*;/, "processStdoutIsTTY = false;"]
  ],
  "/undici/lib/core/util.js": [
    ["const { IncomingMessage } = require('node:http')", "const http = require('node:http')"],
    ["constructor === IncomingMessage", "constructor === http.IncomingMessage"]
  ],
  "/undici/lib/dispatcher/client.js": [
    [
      /const getDefaultNodeMaxHeaderSize = http &&[^:]*: .*/,
      "const getDefaultNodeMaxHeaderSize = () => http.maxHeaderSize"
    ]
  ],
  "/pi-tui/dist/utils.js": [
    [
      /const segmenter = (new Intl\.Segmenter\(.*\));/,
      "let made;const segmenter = { segment: (text) => (made ??= $1).segment(text) };"
    ]
  ]
}))

export const late = {
  name: "late",
  setup: (building) => {
    building.onLoad({ filter: /\/(effect\/dist|undici\/lib|pi-tui\/dist)\/.*\.js$/ }, async ({ path: file }) => {
      const found = [...changes].find(([end]) => file.endsWith(end))
      if (found === undefined) return
      let contents = await fs.readFile(file, "utf8")
      for (const [from, to] of found[1]) {
        if (!(typeof from === "string" ? contents.includes(from) : from.test(contents))) {
          throw new Error(`${file} has no ${from}`)
        }
        contents = contents.replaceAll(typeof from === "string" ? from : new RegExp(from, "g"), to)
      }
      return { contents, loader: "js" }
    })
  }
}
