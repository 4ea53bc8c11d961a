import { domainToUnicode } from 'node:url'

/** Scripts that are written together in one word (UTS #39 §5.2, "highly restrictive"). */
const together = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
] as const
const scripts = [
  'Latin',
  'Han',
  'Hiragana',
  'Katakana',
  'Bopomofo',
  'Hangul',
  'Cyrillic',
  'Greek',
  'Arabic',
  'Hebrew',
  'Armenian',
  'Georgian',
  'Thai',
  'Devanagari',
] as const
const patterns = scripts.map((script) => [script, new RegExp(`\\p{Script=${script}}`, 'u')] as const)
const shared = /[\p{Script=Common}\p{Script=Inherited}]/u

/**
 * How `domain` (A-labels) is shown: as it is read, but labels that mix scripts, which may imitate others, as A-labels.
 */
export function shownDomain(domain: string): string {
  return domain
    .split('.')
    .map((label) => {
      const unicode = label.startsWith('xn--') ? domainToUnicode(label) : label
      return isPlain(unicode) ? unicode : label
    })
    .join('.')
}

function isPlain(label: string): boolean {
  const found = new Set(
    [...label]
      .filter((letter) => !shared.test(letter))
      .map((letter) => patterns.find(([, pattern]) => pattern.test(letter))?.[0]),
  )
  // A script that is not in the list cannot be distinguished from others.
  if (found.has(undefined)) return false
  if (found.size <= 1) return true
  return together.some((set) => [...found].every((script) => (set as readonly unknown[]).includes(script))) // wider
}
