/** The process: its runtime, streams, signals and exit code. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import { run } from "./Cli.js"

declare const WEIR_VERSION: string

NodeRuntime.runMain(run(process.argv.slice(2), WEIR_VERSION).pipe(Effect.provide(NodeContext.layer)))
