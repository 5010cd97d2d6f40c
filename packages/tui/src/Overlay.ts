/** What lies between the conversation and the editor for a while, and takes the keys: a list to pick from, or a text. */
import * as Data from "effect/Data"

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
    /** Lines that are scrolled out above; the frame keeps it in bounds. */
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

export const scroll = (self: Overlay, by: number): Overlay =>
  self._tag === "Picker" ? move(self, by) : { ...self, scroll: Math.max(0, self.scroll + by) }
