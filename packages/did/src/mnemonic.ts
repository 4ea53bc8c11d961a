/** The twelve words that hold an identity: BIP-39, English word list, 128 bits (wire, "Keys and DIDs"). */
import * as bip39 from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** How many words an identity has; LarePass makes no other length. */
export const mnemonicWordCount = 12

/**
 * Why a text is not an identity's words. `word` is the first one that is not in the list, `position` counts from 1.
 */
export type MnemonicFault =
  | { reason: 'count'; found: number }
  | { reason: 'word'; word: string; position: number }
  | { reason: 'checksum' }

/** Twelve new random words, separated by single spaces. */
export function generateMnemonic(): string {
  return bip39.generateMnemonic(wordlist, 128)
}

/** The words as BIP-39 hashes them: NFKD, lower case, single spaces. Forgives how a person types or pastes them. */
export function normaliseMnemonic(text: string): string {
  return text.normalize('NFKD').trim().toLowerCase().split(/\s+/u).join(' ')
}

/** The fault of `text`, most helpful first: the number of words, the first unknown word, then the checksum. */
export function findMnemonicFault(text: string): MnemonicFault | undefined {
  const words = normaliseMnemonic(text).split(' ').filter(Boolean)
  if (words.length !== mnemonicWordCount) return { reason: 'count', found: words.length }
  const at = words.findIndex((word) => !wordlist.includes(word))
  if (at >= 0) return { reason: 'word', word: words[at] ?? '', position: at + 1 }
  return bip39.validateMnemonic(words.join(' '), wordlist) ? undefined : { reason: 'checksum' }
}

/** Whether `text` is twelve words of the list with a valid checksum. */
export function isMnemonic(text: string): boolean {
  return findMnemonicFault(text) === undefined
}

/** Words of the list that start with `prefix`, for completion while typing; at most `limit`. */
export function suggestWords(prefix: string, limit = 5): string[] {
  const start = prefix.trim().toLowerCase()
  return start === '' ? [] : wordlist.filter((word) => word.startsWith(start)).slice(0, limit)
}
