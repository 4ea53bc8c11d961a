import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf, differenceText } from './line-difference.ts'

const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'))

test('the lines that stayed and left are the one text, those that stayed and came the other', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = differenceOf(before, after)
      const without = (kind: string) => lines.flatMap((line) => (line.kind === kind ? [] : [line.text])).join('\n')
      expect([without('new'), without('gone')]).toEqual([before, after])
      if (before === after) expect(lines.every(({ kind }) => kind === 'same')).toBe(true)
    }),
  )
})

test('a changed line is shown with three around it', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n')
  expect(differenceText(before, before.replace('6', 'six'))).toBe('  3\n  4\n  5\n- 6\n+ six\n  7\n  8\n  9')
})
