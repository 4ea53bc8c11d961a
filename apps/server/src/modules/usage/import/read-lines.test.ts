import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './read-lines.ts'

async function linesOf(chunks: readonly string[]): Promise<string[]> {
  async function* give() {
    yield* chunks
  }
  return await Array.fromAsync(readLines(give()))
}

test('lines are the same however the text is cut', async () => {
  const line = fc.string({ unit: fc.constantFrom('a', ',', '文', '"'), maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 9 }),
      async (given, end, size) => {
        const text = given.map((one) => `${one}${end}`).join('')
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        expect(await linesOf(chunks)).toEqual(given)
      },
    ),
  )
  expect(await linesOf(['a\nb'])).toEqual(['a', 'b'])
})

test('of a file without an end of a line little is held, and the rest is not read', async () => {
  let read = 0
  async function* give() {
    for (; read < 1000; read += 1) yield 'x'.repeat(64 * 1024)
  }
  const lines = await Array.fromAsync(readLines(give()))
  expect(lines.map(({ length }) => length)).toEqual([4096])
  expect(read).toBe(0)
})
