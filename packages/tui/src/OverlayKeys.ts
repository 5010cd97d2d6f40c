/** What keys do to an overlay: it changes, or goes. */
import { type Call, keyOf } from "./Block.js"
import { move, narrow, narrowed, type Overlay } from "./Overlay.js"

export interface Pressed {
  /** Undefined: it is closed. */
  readonly overlay: Overlay | undefined
  readonly picked?: { readonly picker: string; readonly id: string }
}

/** Lines. */
export const page = 10

const moves: { readonly [key: string]: number | undefined } = {
  down: 1,
  end: Infinity,
  home: -Infinity,
  pageDown: page,
  pageUp: -page,
  up: -1
}

type Of<Tag extends Overlay["_tag"]> = Extract<Overlay, { readonly _tag: Tag }>

const inPicker = (overlay: Of<"Picker">, key: string): Pressed => {
  const by = moves[key]
  if (by !== undefined) return { overlay: move(overlay, by) }
  switch (key) {
    case "enter": {
      const item = narrowed(overlay)[overlay.selected]
      return item === undefined
        ? { overlay }
        : { overlay: undefined, picked: { id: item.id, picker: overlay.picker } }
    }
    case "backspace":
      return { overlay: narrow(overlay, overlay.filter.slice(0, -1)) }
    case "space":
      return { overlay: narrow(overlay, `${overlay.filter} `) }
    default:
      return { overlay: [...key].length === 1 ? narrow(overlay, overlay.filter + key) : overlay }
  }
}

/** Arrows choose, pages scroll. */
const inCalls = (overlay: Of<"Calls">, key: string, calls: ReadonlyArray<Call>): Pressed => {
  if (key === "enter" || key === "space") return { overlay: { ...overlay, isOpen: !overlay.isOpen, scroll: 0 } }
  const by = moves[key]
  if (by === undefined) return { overlay }
  if (Math.abs(by) === page) return { overlay: { ...overlay, scroll: overlay.scroll + by } }
  const at = chosen(overlay, calls) + by
  const next = calls[Math.max(0, Math.min(at, calls.length - 1))]
  return { overlay: next === undefined ? overlay : { ...overlay, chosen: keyOf(next), scroll: 0 } }
}

/** Its place among the calls; the newest when it is there no more. */
export const chosen = (overlay: Of<"Calls">, calls: ReadonlyArray<Call>): number => {
  const at = calls.findIndex((call) => keyOf(call) === overlay.chosen)
  return at === -1 ? calls.length - 1 : at
}

const closing = ["enter", "q", "space"]

/** Whoever pages past the end is back where the conversation goes on. */
const inConversation = (overlay: Of<"Conversation">, key: string): Pressed => {
  const by = moves[key]
  if (by === undefined) return { overlay: closing.includes(key) ? undefined : overlay }
  const scroll = key === "end" ? 0 : overlay.scroll - by
  return { overlay: scroll < 0 ? undefined : { ...overlay, scroll } }
}

const inText = (overlay: Of<"Text">, key: string): Pressed => {
  const by = moves[key]
  if (by === undefined) return { overlay: closing.includes(key) ? undefined : overlay }
  return { overlay: { ...overlay, scroll: Math.max(0, overlay.scroll + by) } }
}

/** `calls`: those that can be looked into, the newest last. */
export const press = (overlay: Overlay, key: string, calls: ReadonlyArray<Call>): Pressed => {
  if (key === "escape" || key === "ctrl+c" || key === "ctrl+o") return { overlay: undefined }
  switch (overlay._tag) {
    case "Picker":
      return inPicker(overlay, key)
    case "Calls":
      return inCalls(overlay, key, calls)
    case "Conversation":
      return inConversation(overlay, key)
    case "Text":
      return inText(overlay, key)
  }
}
