import { assert, describe, it } from "@effect/vitest"
import { type Input, ScreenEvent } from "../src/Input.js"
import * as Reducer from "../src/Reducer.js"
import { cost, isAnimated, loader } from "../src/State.js"
import {
  applied,
  asked,
  at,
  call,
  compacting,
  draft,
  ended,
  finished,
  key,
  play,
  result,
  shown,
  started,
  step,
  submit,
  tags,
  text
} from "./Play.js"

const working = [at(1_000), submit("Fix it."), started, step()]

/** What requests for a summary have cost. */
const spent = { cacheRead: 0, cacheWrite: 0, fresh: 900, output: 50 }

describe("a turn on the screen", () => {
  it("begins when the message is sent, and is shown as it was typed", () => {
    const played = play([at(1_000), submit("  Fix it.\n")])
    assert.deepStrictEqual(played.actions, [{ _tag: "Prompt", text: "Fix it." }])
    assert.deepStrictEqual(shown(played), ["> Fix it."])
    assert.strictEqual(loader(played.state), "Thinking")
  })

  it("shows text, calls and more text in their order, each once", () => {
    const played = play([
      ...working,
      text("Looking.\n\nThen"),
      text(" running."),
      call("1"),
      result("1"),
      step(),
      text("Done."),
      finished
    ])
    assert.deepStrictEqual(shown(played), ["> Fix it.", "Looking.", "Then running.", "* bash make (ok)", "Done."])
    assert.isUndefined(played.state.turn)
    assert.isFalse(isAnimated(played.state))
  })

  it("shows calls that run side by side in the order of the model", () => {
    const both = [...working, call("1", "grep"), call("2", "glob"), result("2")]
    assert.deepStrictEqual(shown(play(both)), ["> Fix it."])
    assert.deepStrictEqual(shown(play([...both, result("1", "no", true)])).slice(1), [
      "* grep make (failed)",
      "* glob make (ok)"
    ])
  })

  it("shows of a call what says most, in whatever order the model wrote it", () => {
    const edit = call("1", "edit_file", "{\"old_text\":\"wide\",\"new_text\":\"deep\",\"path\":\"poem.txt\"}")
    const other = call("2", "other", "{\"count\":3,\"title\":\"A title\"}")
    assert.deepStrictEqual(shown(play([...working, edit, result("1"), other, result("2")])).slice(1), [
      "* edit_file poem.txt (ok)",
      "* other A title (ok)"
    ])
  })

  it("says what was interrupted", () => {
    const played = play([...working, text("Half a"), call("1"), ended("interrupted")])
    assert.deepStrictEqual(shown(played).slice(1), ["Half a", "* bash make (interrupted)", "! Interrupted."])
  })

  it("what was said is kept when the user leaves in the middle", () => {
    const { actions, state } = play([...working, text("Half a")])
    assert.deepStrictEqual(shown({ actions, state: Reducer.abandon(state) }).slice(1), ["Half a", "! Interrupted."])
  })

  it("takes back a reply that is void, and says so of what cannot be taken back", () => {
    assert.deepStrictEqual(shown(play([...working, text("Half"), { _tag: "Rewound" }, text("Whole."), finished])), [
      "> Fix it.",
      "Whole."
    ])
    assert.deepStrictEqual(
      shown(play([...working, text("Gone.\n\nHalf"), { _tag: "Rewound" }, text("Whole."), finished])),
      ["> Fix it.", "Gone.", "! The reply was cut off here and is asked for again.", "Whole."]
    )
  })

  it("what was used costs what its own model costs, whichever comes after it", () => {
    const used = { _tag: "UsageReported", usage: { cacheRead: 0, cacheWrite: 0, fresh: 1_000_000, output: 0 } } as const
    const priced = (input: number) =>
      ScreenEvent.StatusChanged({ status: { prices: { cacheRead: 0, cacheWrite: 0, input, output: 0 } } })
    const unpriced = ScreenEvent.StatusChanged({ status: { prices: undefined } })
    assert.isUndefined(cost(play([unpriced, used]).state))
    assert.strictEqual(cost(play([priced(1), used, priced(5)]).state), 1)
    assert.strictEqual(cost(play([priced(1), used, priced(5), used]).state), 6)
    assert.strictEqual(cost(play([priced(1), used, unpriced, used]).state), 1)
  })

  it("counts down to the next attempt", () => {
    const played = play([...working, { _tag: "RetryScheduled", attempt: 2, delayMillis: 4_000, reason: "overloaded" }])
    assert.strictEqual(loader(played.state), "Trying again in 4 s (attempt 2): overloaded")
    assert.strictEqual(loader(play([at(3_500)], played.state).state), "Trying again in 2 s (attempt 2): overloaded")
    assert.strictEqual(loader(play([text("x")], played.state).state), "Writing")
  })
})

describe("an automatic compaction on the screen", () => {
  const before = play([...working, text("Reading the files."), call("1"), result("1", "text")])

  it("[C01] only the loader's text becomes Compacting...; turn, elapsed time, queue and editor stay", () => {
    const queued = play([submit("And then this."), draft("half typed")], before.state)
    const during = play([at(5_000), compacting], queued.state)
    assert.strictEqual(loader(during.state), "Compacting...")
    assert.deepStrictEqual(during.actions, [])
    assert.strictEqual(during.state.turn?.startedAt, 1_000)
    assert.deepStrictEqual(during.state.queue, ["And then this."])
    assert.strictEqual(during.state.draft, "half typed")
    assert.deepStrictEqual(during.state.finished, queued.state.finished)
    assert.isTrue(isAnimated(during.state))
  })

  it("[C02] Escape cancels the compaction alone and is swallowed; typing and queueing go on", () => {
    const during = play([compacting, key("escape")], before.state)
    assert.deepStrictEqual(tags(during), ["CancelCompaction"])
    assert.strictEqual(loader(during.state), "Compacting...")
    const after = play([draft("next"), submit("next"), key("x")], during.state)
    assert.deepStrictEqual(tags(after), ["Edit"])
    assert.deepStrictEqual(after.state.queue, ["next"])
    assert.isTrue(after.state.turn?.isCompacting)
  })

  it("[C02] Ctrl+C interrupts the turn", () => {
    const during = play([compacting, key("ctrl+c")], before.state)
    assert.deepStrictEqual(tags(during), ["Interrupt"])
    const end = play([ended("interrupted")], during.state)
    assert.isUndefined(end.state.turn)
    assert.deepStrictEqual(shown(end).at(-1), "! Interrupted.")
  })

  it("[C03] applied: what was visible is in the transcript, content and usage are fresh, the loader is restored", () => {
    const usage = { cacheRead: 600, cacheWrite: 100, fresh: 200, output: 50 }
    const during = play([...working, text("Reading."), { _tag: "UsageReported", usage }, compacting])
    const after = play([applied], during.state)
    assert.deepStrictEqual(shown(after), ["> Fix it.", "Reading."])
    assert.strictEqual(after.state.turn?.reply.pending, "")
    assert.deepStrictEqual(after.state.turn?.calls, [])
    assert.strictEqual(after.state.status.estimate, 200)
    assert.strictEqual(loader(after.state), "Thinking")
    assert.strictEqual(after.state.turn?.startedAt, 1_000)
  })

  it("[C04] the notice stays two seconds and is never part of the transcript", () => {
    const after = play([at(10_000), compacting, applied], before.state)
    assert.strictEqual(after.state.notice?.text, "Context compacted automatically.")
    assert.isDefined(play([at(11_999)], after.state).state.notice)
    assert.isUndefined(play([at(12_000)], after.state).state.notice)
    assert.notInclude(shown(after).join("\n"), "compacted")
  })

  it("[C05] what was shown before it is not shown again when the turn ends", () => {
    const end = play([compacting, applied, step(), text("All done."), finished], before.state)
    assert.deepStrictEqual(shown(end), ["> Fix it.", "Reading the files.", "* bash make (ok)", "All done."])
  })

  for (
    const terminal of [
      { _tag: "AutoCompactionCancelled", usage: spent },
      { _tag: "AutoCompactionFailed", error: { message: "The summary was empty." }, usage: spent }
    ] as const
  ) {
    it(`[C06] ${terminal._tag}: the loader is restored, what it has cost is counted, and nothing else changes`, () => {
      const open = play([...working, text("Half a word")])
      const after = play([compacting, terminal], open.state)
      assert.deepStrictEqual(
        { ...after.state, status: open.state.status, used: open.state.used },
        open.state
      )
      assert.strictEqual(after.state.used.fresh - open.state.used.fresh, 900)
      assert.strictEqual(loader(after.state), "Writing")
    })
  }

  it("[C06] a forced one that failed ends the turn with what to do", () => {
    const end = play([
      compacting,
      { _tag: "AutoCompactionFailed", error: { message: "no" }, usage: spent },
      ended("context_limit", "The request exceeds the context limit. Start a new session.")
    ], before.state)
    assert.strictEqual(shown(end).at(-1), "! The request exceeds the context limit. Start a new session.")
    assert.isUndefined(end.state.turn)
  })
})

describe("Escape and Ctrl+C in every state", () => {
  const retry = { _tag: "RetryScheduled", attempt: 1, delayMillis: 1_000, reason: "busy" } as const
  const manual = { _tag: "ManualCompactionStarted", budget: 1_000, estimate: 500 } as const
  const states = {
    "idle": [at(1_000)],
    "streaming": [...working, text("Hello")],
    "tool running": [...working, call("1")],
    "permission asked": [...working, call("1"), asked("1")],
    "compacting": [...working, compacting],
    "compacting because it was asked for": [at(1_000), manual],
    "retry sleeping": [...working, retry],
    "queue non-empty": [...working, submit("next")]
  }
  const expected: { readonly [state in keyof typeof states]: readonly [escape: string, ctrlC: string] } = {
    "idle": ["", ""],
    "streaming": ["Escape", "Interrupt"],
    "tool running": ["Escape", "Interrupt"],
    "permission asked": ["Answer", "Interrupt"],
    "compacting": ["CancelCompaction", "Interrupt"],
    "compacting because it was asked for": ["CancelCompaction", "Interrupt"],
    "retry sleeping": ["Escape", "Interrupt"],
    "queue non-empty": ["Escape", "Interrupt"]
  }
  for (const [name, inputs] of Object.entries(states)) {
    const from = play(inputs).state
    const [onEscape, onCtrlC] = Object.entries(expected).find(([state]) => state === name)?.[1] ?? ["?", "?"]

    it(`${name}: Escape`, () => {
      const played = play([key("escape")], from)
      assert.strictEqual(tags(played).join(), onEscape)
      if (name !== "permission asked") assert.deepStrictEqual(played.state, from)
    })

    it(`${name}: Ctrl+C clears the input first`, () => {
      const played = play([draft("typed"), key("ctrl+c")], from)
      assert.deepStrictEqual(played.actions, [{ _tag: "SetDraft", text: "" }])
      assert.strictEqual(played.state.draft, "")
    })

    it(`${name}: Ctrl+C with no input`, () => {
      assert.strictEqual(tags(play([key("ctrl+c")], from)).join(), onCtrlC)
    })

    if (name !== "compacting because it was asked for") {
      it(`${name}: Ctrl+C twice quits`, () => {
        assert.strictEqual(tags(play([key("ctrl+c"), key("ctrl+c")], from)).at(-1), "Quit")
      })
    }
  }

  it("idle: a second Ctrl+C that comes late does not quit", () => {
    const played = play([at(1_000), key("ctrl+c"), at(3_000), key("ctrl+c")])
    assert.deepStrictEqual(tags(played), [])
    assert.strictEqual(played.state.notice?.text, "Press Ctrl+C again to quit.")
  })

  it("completions take Escape before the turn does", () => {
    assert.deepStrictEqual(tags(play([...working, key("escape", true)])).at(-1), "Edit")
  })

  it("an overlay takes both", () => {
    for (const name of ["escape", "ctrl+c"]) {
      const played = play([...working, ScreenEvent.TextOpened({ text: "keys", title: "Help" }), key(name)])
      assert.isUndefined(played.state.overlay)
      assert.deepStrictEqual(tags(played), ["Prompt"])
    }
  })

  it("Ctrl+Z suspends and Ctrl+L draws anew, whatever is open", () => {
    const listed = ScreenEvent.PickerOpened({ items: [], picker: "model", selected: "", title: "Models" })
    for (const open of [[], [draft("typed")], [ScreenEvent.TextOpened({ text: "", title: "Help" })], [listed]]) {
      const before = play(open)
      const after = play([key("ctrl+z"), key("ctrl+l")], before.state)
      assert.deepStrictEqual(tags(after), ["Suspend", "Redraw"])
      assert.deepStrictEqual(after.state, before.state)
    }
  })

  it("Ctrl+D quits, unless there is input to delete", () => {
    assert.deepStrictEqual(tags(play([key("ctrl+d")])), ["Quit"])
    assert.deepStrictEqual(tags(play([draft("x"), key("ctrl+d")])), ["Edit"])
  })
})

describe("a question", () => {
  const open = play([...working, call("1"), asked("1"), at(2_000)]).state

  it("is answered by number, or by choosing; the loader says that it waits", () => {
    assert.strictEqual(loader(open), "Waiting for your answer")
    assert.deepStrictEqual(play([key("1")], open).actions, [{ _tag: "Answer", because: "", choice: "once" }])
    assert.deepStrictEqual(play([key("3")], open).actions, [{ _tag: "Answer", because: "", choice: "project" }])
    const down = play([key("down"), key("enter")], open)
    assert.deepStrictEqual(down.actions, [{ _tag: "Answer", because: "", choice: "session" }])
    assert.isUndefined(down.state.turn?.question)
    assert.deepStrictEqual(play([key("up"), key("up"), key("enter")], open).actions, [
      { _tag: "Answer", because: "", choice: "no" }
    ])
  })

  it("takes no key for an answer that was pressed as it came, or that belongs to what is being typed", () => {
    const fresh = play([...working, call("1"), asked("1"), key("enter"), key("1")])
    assert.deepStrictEqual(tags(fresh), ["Prompt"])
    assert.isDefined(fresh.state.turn?.question)
    assert.deepStrictEqual(tags(play([draft("wait"), key("1"), key("enter")], open)), ["Edit", "Edit"])
    assert.deepStrictEqual(play([draft("wait"), submit("wait")], open).state.queue, ["wait"])
  })

  it("may be denied with a reason, which goes to the model and not to the queue", () => {
    const explaining = play([key("5")], open)
    assert.deepStrictEqual(explaining.actions, [])
    const played = play([submit("Use pnpm.")], explaining.state)
    assert.deepStrictEqual(played.actions, [{ _tag: "Answer", because: "Use pnpm.", choice: "explain" }])
    assert.deepStrictEqual(played.state.queue, [])
    assert.deepStrictEqual(tags(play([key("escape"), key("escape")], explaining.state)), ["Answer"])
  })

  it("goes with its turn", () => {
    assert.isUndefined(play([ended("interrupted")], open).state.turn)
  })
})

describe("a compaction that was asked for", () => {
  const usage = spent
  const begun = [at(1_000), { _tag: "ManualCompactionStarted", budget: 1_000, estimate: 500 }] as const
  const delta = (text: string, isFirst = false) => ({ _tag: "ManualSummaryDelta", isFirst, text } as const)
  const finish = (end: Extract<Input, { readonly _tag: "ManualCompactionFinished" }>["end"]): Input => ({
    _tag: "ManualCompactionFinished",
    end
  })

  it("[C07] shows its summary as it streams, then its line; what was queued goes on", () => {
    const during = play([...begun, delta("## Goal\n\nShip", true), delta(" it."), submit("next")])
    assert.strictEqual(loader(during.state), "Compacting...")
    assert.strictEqual(during.state.manual?.summary.pending, "Ship it.")
    const end = play([finish({ _tag: "Compacted", after: 1_234, before: 56_789, usage })], during.state)
    assert.deepStrictEqual(shown(end), ["## Goal", "Ship it.", "! Compacted 56,789 to 1,234 tokens.", "> next"])
    assert.deepStrictEqual(tags(end), ["Prompt"])
    assert.strictEqual(end.state.status.estimate, 1_234)
  })

  it("[C07] cancelled, failed or for nothing: a line says so, and no automatic notice comes", () => {
    for (
      const [end, line] of [
        [{ _tag: "Unchanged", because: "cancelled", usage }, "! Compaction cancelled."],
        [{ _tag: "Unchanged", because: "nothing-to-compact", usage }, "! There is nothing to compact."],
        [{ _tag: "Failed", error: { message: "No." }, usage }, "! The compaction failed: No."]
      ] as const
    ) {
      const played = play([...begun, delta("half", true), finish(end)])
      assert.deepStrictEqual(shown(played), [line])
      assert.strictEqual(played.state.used.fresh, 900)
      assert.isUndefined(played.state.manual)
      assert.isUndefined(played.state.notice)
    }
  })

  it("[C07] inside a turn leaves the turn alone", () => {
    const played = play([
      ...working,
      text("Half"),
      ...begun,
      delta("Summary.", true),
      finish({ _tag: "Compacted", after: 1, before: 2, usage })
    ])
    assert.strictEqual(played.state.turn?.reply.pending, "Half")
  })
})

describe("the queue", () => {
  it("is sent in order, each when the turn before it has ended", () => {
    const first = play([...working, submit("two"), submit("three")])
    assert.deepStrictEqual(tags(first), ["Prompt"])
    const second = play([finished], first.state)
    assert.deepStrictEqual(second.actions, [{ _tag: "Prompt", text: "two" }])
    assert.deepStrictEqual(second.state.queue, ["three"])
    assert.deepStrictEqual(play([started, finished], second.state).actions, [{ _tag: "Prompt", text: "three" }])
  })

  it("goes back to the editor when the turn did not end well", () => {
    const played = play([...working, submit("two"), submit("three"), draft("half"), ended("interrupted")])
    assert.deepStrictEqual(played.actions.at(-1), { _tag: "SetDraft", text: "two\n\nthree\n\nhalf" })
    assert.deepStrictEqual(played.state.queue, [])
    assert.isUndefined(played.state.turn)
  })

  it("gives its newest message back to be changed, and only to an empty editor", () => {
    const queued = play([...working, submit("two"), submit("three")]).state
    const played = play([key("up")], queued)
    assert.deepStrictEqual(played.actions, [{ _tag: "SetDraft", text: "three" }])
    assert.deepStrictEqual(played.state.queue, ["two"])
    assert.deepStrictEqual(tags(play([draft("x"), key("up")], queued)), ["Edit"])
  })
})

describe("commands and overlays", () => {
  it("a line with a slash is a command, also while a turn runs; a path is not", () => {
    assert.deepStrictEqual(play([...working, submit("/compact keep the tests")]).actions.at(-1), {
      _tag: "Command",
      argument: "keep the tests",
      name: "compact"
    })
    assert.deepStrictEqual(tags(play([submit("/etc/passwd is what?")])), ["Prompt"])
  })

  it("a picker narrows, moves and picks", () => {
    const items = ["alpha", "beta", "gamma"].map((id) => ({ detail: "", id, label: id }))
    const open = ScreenEvent.PickerOpened({ items, picker: "model", selected: "beta", title: "Model" })
    assert.deepStrictEqual(play([open, key("enter")]).actions, [{ _tag: "Picked", id: "beta", picker: "model" }])
    assert.deepStrictEqual(play([open, key("down"), key("down"), key("enter")]).actions, [
      { _tag: "Picked", id: "gamma", picker: "model" }
    ])
    assert.deepStrictEqual(play([open, key("l"), key("p"), key("enter")]).actions, [
      { _tag: "Picked", id: "alpha", picker: "model" }
    ])
    assert.deepStrictEqual(play([open, key("z"), key("enter")]).actions, [])
  })

  it("the history is searched from the newest, and what is found goes into the editor", () => {
    const played = play([submit("one"), finished, submit("two"), finished, key("ctrl+r")])
    assert.deepStrictEqual(
      played.state.overlay?._tag === "Picker" ? played.state.overlay.items.map(({ label }) => label) : [],
      ["two", "one"]
    )
    const found = play([key("n"), key("enter")], played.state)
    assert.deepStrictEqual(found.actions, [{ _tag: "SetDraft", text: "one" }])
    assert.strictEqual(found.state.draft, "one")
    assert.isUndefined(found.state.overlay)
  })
})
