/**
 * A history too long for one request, on its way to one that fits: part after part becomes a summary a quarter as
 * long as a request may be, and so, where that is not enough, do the summaries. Sizes in tokens, by scan.
 *
 * With `n` requests' worth of history at most 2n - 1 parts are asked about in the first round, since any two
 * neighbours fill more than one request, and a third as many in every later one: with the last request fewer than
 * 4n + 4.
 */
import * as Data from "effect/Data"
import * as HistoryText from "./HistoryText.js"

type Pieces = ReadonlyArray<HistoryText.Piece>

export interface Reduction {
  /** What this round is through with. */
  readonly done: Pieces
  readonly rest: Pieces
}

export type Next = Data.TaggedEnum<{
  /** All of it fits one request. */
  Whole: { readonly pieces: Pieces }
  /** These come next; `before` and `after` them is what stays. */
  Part: { readonly pieces: Pieces; readonly before: Pieces; readonly after: Pieces }
}>

export const Next = Data.taggedEnum<Next>()

export const start = (pieces: Pieces): Reduction => ({ done: [], rest: pieces })

/** The most that a part's summary may take of the room for pieces in a request. */
export const share = (room: number): number => Math.floor(room / 4)

/** What to ask about next; a piece longer than the room keeps head and tail. The room never grows. */
export const next = (self: Reduction, room: number): Next => {
  const done = self.done.map((piece) => HistoryText.within(piece, room))
  const rest = self.rest.map((piece) => HistoryText.within(piece, room))
  const all = [...done, ...rest]
  if (HistoryText.weight(all) <= room) return Next.Whole({ pieces: all })
  if (rest.length === 0) return next({ done: [], rest: done }, room)
  const pieces = rest.slice(0, fitting(rest, room))
  const after = rest.slice(pieces.length)
  return HistoryText.weight(pieces) <= share(room)
    ? next({ done: [...done, ...pieces], rest: after }, room)
    : Next.Part({ pieces, before: done, after })
}

/** How many of the first pieces fit the room. */
const fitting = (pieces: Pieces, room: number): number => {
  let left = room
  const over = pieces.findIndex(({ tokens }) => {
    left -= tokens
    return left < 0
  })
  return over < 0 ? pieces.length : over
}

/** The reduction when a part has become a summary, which keeps head and tail where it is too long. */
export const summarized = ({ after, before }: Extract<Next, { _tag: "Part" }>, summary: string, room: number) => ({
  done: [...before, HistoryText.within(HistoryText.partSummary(summary), share(room))],
  rest: after
})
