/** Which session is to be on the screen, and how it is opened. */
import type * as Option from "effect/Option"
import type * as Ref from "effect/Ref"
import type * as Opening from "../Opening.js"
import type { Settings } from "../Settings.js"

export interface Wanted {
  readonly cwd: Option.Option<string>
  readonly flags: Settings
  readonly resume: Opening.Resume
  /** Whether its newest compaction is taken back first. */
  readonly undo?: boolean
  /** Whether what was said in it stands on the screen already. */
  readonly isShown?: boolean
  /** Rules that were given for this session, when it was open before. */
  readonly allowed?: Ref.Ref<ReadonlySet<string>>
}
