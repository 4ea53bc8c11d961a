import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readBit } from './status-list.ts'

const length = 131_072

async function encodeList(places: readonly number[]): Promise<string> {
  const bytes = new Uint8Array(length / 8)
  for (const place of places) bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (0x80 >> (place & 7))
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'))
  return `u${base64urlnopad.encode(new Uint8Array(await new Response(packed).arrayBuffer()))}`
}

it('finds the bits that are set, and no other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(length - 1), { maxLength: 20 }), fc.nat(length - 1), async (set, asked) => {
      const encoded = await encodeList(set)
      for (const place of [asked, ...set]) expect(await readBit(encoded, place)).toBe(set.includes(place))
    }),
    { numRuns: 30 },
  )
})
