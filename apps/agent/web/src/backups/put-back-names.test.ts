import { expect, test } from 'vitest'
import type { Translate } from '../i18n/text.ts'
import { besideNameOf, keptNameOf } from './put-back-names.ts'

const words: Record<string, string> = { 'backups.besideName': 'from', 'backups.keptName': 'replaced' }
const t = ((key: string, params: { name: string; day: string }) =>
  `${params.name} (${words[key]} ${params.day})`) as Translate // as the language files have it

test.each([
  ['notes.txt', 'notes (from 23 Nov 2026).txt'],
  ['notes', 'notes (from 23 Nov 2026)'],
  ['.profile', '.profile (from 23 Nov 2026)'],
  ['a.tar.gz', 'a.tar (from 23 Nov 2026).gz'],
  ['a\\b\nc\u{10ffff}.txt', 'a_b_c\ufffd (from 23 Nov 2026).txt'],
])('%s beside another one is %s', (name, beside) => {
  expect(besideNameOf(name, '23 Nov 2026', t)).toBe(beside)
})

test('one that is replaced says when', () => {
  expect(keptNameOf('notes.txt', '23 Nov 2026', t)).toBe('notes (replaced 23 Nov 2026).txt')
})

test('a long name stays a name, and no day makes a folder of it', () => {
  const long = `${'潮'.repeat(83)}.txt`
  const beside = besideNameOf(long, '23/11/2026', t)
  expect(new TextEncoder().encode(beside).length).toBeLessThanOrEqual(245)
  expect(beside).toMatch(/^潮+ \(from 23-11-2026\)\.txt$/)
})
