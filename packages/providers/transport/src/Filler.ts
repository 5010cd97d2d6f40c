/** What is said where an API demands words and the conversation has none. */

/** What a conversation that begins with a reply begins with. */
export const opening = "(The conversation so far follows.)"

export const emptyMessage = "(An empty message.)"

export const noOutput = "(No output.)"

/** What a conversation that ends with a reply ends with. */
export const closing = "Continue."

/** What stands before the result of a call that failed, where an API has no flag for it. */
export const errorMark = "Error: "
