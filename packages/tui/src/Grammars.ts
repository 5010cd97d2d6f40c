/** Grammars of languages. One is made when code in it is first shown: all of them would take a tenth of a second. */
import bash from "refractor/bash"
import c from "refractor/c"
import { refractor, type Syntax } from "refractor/core"
import cpp from "refractor/cpp"
import csharp from "refractor/csharp"
import css from "refractor/css"
import dart from "refractor/dart"
import diff from "refractor/diff"
import docker from "refractor/docker"
import elixir from "refractor/elixir"
import go from "refractor/go"
import graphql from "refractor/graphql"
import haskell from "refractor/haskell"
import hcl from "refractor/hcl"
import ini from "refractor/ini"
import java from "refractor/java"
import javascript from "refractor/javascript"
import json from "refractor/json"
import jsx from "refractor/jsx"
import kotlin from "refractor/kotlin"
import less from "refractor/less"
import lua from "refractor/lua"
import makefile from "refractor/makefile"
import markdown from "refractor/markdown"
import markup from "refractor/markup"
import nix from "refractor/nix"
import objectivec from "refractor/objectivec"
import perl from "refractor/perl"
import php from "refractor/php"
import powershell from "refractor/powershell"
import protobuf from "refractor/protobuf"
import python from "refractor/python"
import r from "refractor/r"
import ruby from "refractor/ruby"
import rust from "refractor/rust"
import sass from "refractor/sass"
import scala from "refractor/scala"
import scss from "refractor/scss"
import sql from "refractor/sql"
import swift from "refractor/swift"
import toml from "refractor/toml"
import tsx from "refractor/tsx"
import typescript from "refractor/typescript"
import vbnet from "refractor/vbnet"
import yaml from "refractor/yaml"
import zig from "refractor/zig"

const grammars = [
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  diff,
  docker,
  elixir,
  go,
  graphql,
  haskell,
  hcl,
  ini,
  java,
  javascript,
  json,
  jsx,
  kotlin,
  less,
  lua,
  makefile,
  markdown,
  markup,
  nix,
  objectivec,
  perl,
  php,
  powershell,
  protobuf,
  python,
  r,
  ruby,
  rust,
  sass,
  scala,
  scss,
  sql,
  swift,
  toml,
  tsx,
  typescript,
  vbnet,
  yaml,
  zig
]

const byName = new Map<string, Syntax>(
  grammars.flatMap((grammar) => [grammar.displayName, ...(grammar.aliases ?? [])].map((name) => [name, grammar]))
)

/** Undefined for a language that is not known here. */
export const parse = (code: string, language: string) => {
  const grammar = byName.get(language)
  if (grammar === undefined) return undefined
  refractor.register(grammar)
  return refractor.highlight(code, language)
}
