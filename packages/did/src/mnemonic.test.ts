import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findMnemonicFault, generateMnemonic, isMnemonic, mnemonicWordCount, suggestWords } from './mnemonic.ts'

const known = `${'abandon '.repeat(11)}about`

describe('an identity phrase', () => {
  test('is made of twelve words that are valid and differ each time', () => {
    const phrases = Array.from({ length: 20 }, generateMnemonic)
    expect(new Set(phrases).size).toBe(20)
    for (const phrase of phrases) {
      expect(phrase.split(' ')).toHaveLength(mnemonicWordCount)
      expect(isMnemonic(phrase)).toBe(true)
    }
  })

  test.each([
    ['extra spaces and line breaks', `  ${known.replaceAll(' ', '  \n')}\t`],
    ['capital letters', known.toUpperCase()],
    ['compatibility characters', known.replace('about', 'ａｂｏｕｔ')],
  ])('is recognised with %s', (_, text) => expect(isMnemonic(text)).toBe(true))

  test.each([
    ['', { reason: 'count', found: 0 }],
    ['abandon about', { reason: 'count', found: 2 }],
    [`${known} about`, { reason: 'count', found: 13 }],
    [known.replace('about', 'abot'), { reason: 'word', word: 'abot', position: 12 }],
    [`zzz ${'abandon '.repeat(11)}`, { reason: 'word', word: 'zzz', position: 1 }],
    ['abandon '.repeat(12), { reason: 'checksum' }],
  ])('%j is refused with its reason', (text, fault) => expect(findMnemonicFault(text)).toEqual(fault))

  test('takes any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(findMnemonicFault(text) === undefined).toBe(isMnemonic(text))
      }),
    )
  })

  test('is completed from the word list', () => {
    expect(suggestWords('aban')).toEqual(['abandon'])
    expect(suggestWords('A', 3)).toEqual(['abandon', 'ability', 'able'])
    expect(suggestWords(' ')).toEqual([])
  })
})
