/** What holds of every story, whatever the world. */
import { attempts } from "./Attempts.js"
import { bounded, ends, lastResort } from "./Endings.js"
import { accounts, instructionsStay, noOutputs, survivesAFile, texts, weighsAlike } from "./Keeping.js"
import type { Law } from "./Law.js"
import { alone, asked, cancels, framed, oneForced, shaped } from "./Lifecycle.js"
import { fits, isTheFold, neverAgain, nothingSplit, oneWrapper } from "./Requests.js"

export const laws: ReadonlyArray<Law> = [
  ends,
  bounded,
  lastResort,
  isTheFold,
  survivesAFile,
  weighsAlike,
  oneWrapper,
  nothingSplit,
  attempts,
  fits,
  neverAgain,
  oneForced,
  alone,
  shaped,
  framed,
  cancels,
  asked,
  texts,
  accounts,
  noOutputs,
  instructionsStay
]
