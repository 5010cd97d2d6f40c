/** What there is to pick from, as the lines of a list. */
import type { PermissionMode } from "@weir/agent/Permission"
import type { Entry } from "@weir/catalogue/Catalogue"
import type { Overview } from "@weir/session/Overview"
import * as Figures from "@weir/tui/Figures"
import type { Item } from "@weir/tui/Overlay"
import * as DateTime from "effect/DateTime"
import * as Help from "./Help.js"

export const session = ({ changedAt, cwd, id, title, turns }: Overview): Item => ({
  detail: `${turns === 1 ? "1 turn" : `${turns} turns`} · ${DateTime.formatIsoDateUtc(changedAt)} · ${cwd}`,
  id,
  label: title === "" ? id : title
})

export const model = ({ id, prices, window }: Entry): Item => ({
  detail: `${Figures.short(window)} window${prices ? ` · $${prices.input}/$${prices.output} per M` : ""}`,
  id,
  label: id
})

export const mode = (mode: PermissionMode): Item => ({ detail: Help.modes[mode], id: `mode ${mode}`, label: mode })

export const rule = (rule: string): Item => ({ detail: "allowed; Enter forgets it", id: `rule ${rule}`, label: rule })
