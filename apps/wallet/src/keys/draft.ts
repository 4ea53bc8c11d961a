/**
 * The words of an identity that is being made: from the moment they are drawn or typed until the vault has them. They
 * live here, in one place outside React, and nowhere else; screens read them while they show them.
 */
let words: readonly string[] | undefined

export function startDraft(newWords: readonly string[]): void {
  words = newWords
}

export function draftWords(): readonly string[] | undefined {
  return words
}

export function dropDraft(): void {
  words = undefined
}
