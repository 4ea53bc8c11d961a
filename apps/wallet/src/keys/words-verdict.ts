/** The verdict on 12 words while a person types them: nothing hasty about a word that is not finished yet. */
import { findMnemonicFault, mnemonicWordCount, suggestWords } from '@atoll/did'

export type WordsVerdict =
  | { kind: 'unfinished'; count: number }
  | { kind: 'ready' }
  | { kind: 'wrong'; fault: 'tooMany'; count: number }
  | { kind: 'wrong'; fault: 'unknown'; word: string; position: number; suggestions: string[] }
  | { kind: 'wrong'; fault: 'checksum' }

export function judgeWords(text: string): WordsVerdict {
  const words = text.trim().split(/\s+/u).filter(Boolean)
  // The last word may still be growing; padding makes the rest judged as if all twelve were there.
  const growing = !/\s$/u.test(text)
  const last = words.at(-1) ?? ''
  const settled =
    growing && words.length < mnemonicWordCount && suggestWords(last, 1).length > 0 ? words.slice(0, -1) : words
  const fault = findMnemonicFault(padded(settled).join(' '))
  if (words.length > mnemonicWordCount) return { kind: 'wrong', fault: 'tooMany', count: words.length }
  if (fault?.reason === 'word') {
    const suggestions = suggestWords(fault.word.slice(0, 3), 3)
    return { kind: 'wrong', fault: 'unknown', word: fault.word, position: fault.position, suggestions }
  }
  if (words.length < mnemonicWordCount) return { kind: 'unfinished', count: words.length }
  return fault ? { kind: 'wrong', fault: 'checksum' } : { kind: 'ready' }
}

/** Any word of the list fills the places that are not typed yet. */
function padded(words: readonly string[]): string[] {
  return [...words, ...Array<string>(Math.max(0, mnemonicWordCount - words.length)).fill('abandon')]
}
