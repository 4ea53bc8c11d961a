import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOfText, findBytes, isOpen, lossyOf, readableOf, textOfBytes } from './byte-names.ts'

/** Much of what is drawn begins characters that it does not end. */
const bytes = fc
  .array(
    fc.oneof(
      fc.integer({ min: 1, max: 255 }).map((byte) => Buffer.of(byte)),
      fc.constantFrom(
        ...['潮', '\ufffd', '\u{10ff80}', '\u{10ffff}', '\ud7ff', '\n', 'a'].map((text) => Buffer.from(text)),
      ),
      fc.constantFrom('c0af', 'e6bd', 'eda080', 'f0908d', 'f4908080', 'c2').map((hex) => Buffer.from(hex, 'hex')),
    ),
    { minLength: 1 },
  )
  .map((parts) => Buffer.concat(parts))

test('each name of bytes is one text, which JSON and addresses carry', () => {
  fc.assert(
    fc.property(bytes, (name) => {
      const text = textOfBytes(name)
      expect(text.isWellFormed()).toBe(true)
      expect(new URLSearchParams(`path=${encodeURIComponent(text)}`).get('path')).toBe(text)
      expect(bytesOfText(text).equals(name)).toBe(true)
    }),
  )
})

test('what is text is itself', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter((text) => !/[\u{10ff80}-\u{10ffff}]/u.test(text)),
      (text) => {
        expect(textOfBytes(Buffer.from(text))).toBe(text)
        expect(lossyOf(text)).toBe(text)
      },
    ),
  )
  expect(readableOf(textOfBytes(Buffer.from('re\xe9f', 'latin1')))).toBe('re\ufffdf')
})

test('the bytes of names in JSON are found in what is printed, whatever they are', () => {
  fc.assert(
    fc.property(fc.array(bytes), (names) => {
      const before = Buffer.from('/a\nb/')
      const printed = Buffer.concat(names.flatMap((name) => [before, name, Buffer.from('\n')]))
      const inJson = names.map((name) => lossyOf(textOfBytes(name)))
      expect(findBytes(printed, before, inJson)).toEqual(names)
      for (const [at, name] of names.entries())
        if (!isOpen(inJson[at] ?? '')) expect(inJson[at]).toBe(textOfBytes(name))
    }),
  )
})

test.each(['', '/b/a\n', '/a/a', '/a/b\n'])('%j gives nothing for /a/a', (printed) => {
  const found = findBytes(Buffer.from(printed), Buffer.from('/a/'), ['a', 'a'])
  expect(found).toBeUndefined()
})
