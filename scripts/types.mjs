/** Checks types and Effect diagnostics, in one pass of the compiler. */
import { compile } from "./compiler.mjs"

process.exitCode = compile(["--noEmit"], "inherit").status
