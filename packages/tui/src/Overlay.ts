/**
 * What lies between the conversation and the editor for a while, and takes the keys: a list to pick from, a text, what
 * tools have put out, or what has been said. However far it is scrolled, the frame keeps it in bounds.
 */
import * as Data from "effect/Data"
import type { Block } from "./Block.js"

export interface Item {
  readonly id: string
  readonly label: string
  readonly detail: string
}

export type Overlay = Data.TaggedEnum<{
  Picker: {
    readonly picker: string
    readonly title: string
    readonly items: ReadonlyArray<Item>
    /** What has been typed to narrow the list. */
    readonly filter: string
    /** Index in the narrowed list. */
    readonly selected: number
  }
  Text: {
    readonly title: string
    readonly text: string
    /** Lines that are scrolled out above. */
    readonly scroll: number
  }
  /** The lines of calls, of which one is chosen and may be open. */
  Calls: {
    /** Its key. */
    readonly chosen: string
    readonly isOpen: boolean
    /** Lines that are scrolled out above, more than have to be for the chosen one. */
    readonly scroll: number
  }
  Conversation: {
    /** As it was when it was opened. */
    readonly blocks: ReadonlyArray<Block>
    /** Lines that are scrolled out below. */
    readonly scroll: number
  }
}>

export const Overlay = Data.taggedEnum<Overlay>()

type Picker = Data.TaggedEnum.Value<Overlay, "Picker">

/** The items that hold every word that was typed. */
export const narrowed = ({ filter, items }: Picker): ReadonlyArray<Item> => {
  const words = filter.toLowerCase().split(/\s+/)
  return items.filter(({ detail, label }) => {
    const text = `${label} ${detail}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

const clamp = (value: number, count: number) => Math.max(0, Math.min(value, count - 1))

export const move = (self: Picker, by: number): Picker => ({
  ...self,
  selected: clamp(self.selected + by, narrowed(self).length)
})

export const narrow = (self: Picker, filter: string): Picker => ({ ...self, filter, selected: 0 })
