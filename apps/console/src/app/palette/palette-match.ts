/** How what is typed finds what is offered: every word of it must occur somewhere, in any order and case. */

/** The words of what was typed. */
export function queryWords(query: string): string[] {
  return query.toLocaleLowerCase().split(/\s+/).filter(Boolean)
}

/** Whether `text` holds all the words; without words everything does. */
export function holdsWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLocaleLowerCase()
  return words.every((word) => lower.includes(word))
}

export interface TextPart {
  /** Where it begins in the text. */
  at: number
  text: string
  found: boolean
}

/** `text` cut where the words occur in it, so that they can be set apart. */
export function markWords(text: string, words: readonly string[]): TextPart[] {
  const lower = text.toLocaleLowerCase()
  // A letter whose small form is longer would move every place after it.
  if (words.length === 0 || lower.length !== text.length) return [{ at: 0, text, found: false }]
  const found = Array.from(text, () => false)
  for (const word of words) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) found.fill(true, at, at + word.length)
  }
  const parts: TextPart[] = []
  for (let at = 0; at < text.length; at++) {
    const last = parts.at(-1)
    const isFound = found[at] ?? false
    if (last?.found === isFound) last.text += text[at]
    else parts.push({ at, text: text[at] ?? '', found: isFound })
  }
  return parts
}
