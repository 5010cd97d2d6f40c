/** Every key and token that this run has met: configured, stored, or renewed on the way. No session records one. */
import * as Context from "effect/Context"
import * as MutableHashSet from "effect/MutableHashSet"
import type * as Redacted from "effect/Redacted"

export class KnownSecrets extends Context.Reference<KnownSecrets>()("@weir/cli/KnownSecrets", {
  defaultValue: () => MutableHashSet.empty<Redacted.Redacted>()
}) {}
