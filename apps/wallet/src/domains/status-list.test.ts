import { identityFromMnemonic, signJws } from '@atoll/did'
import { base64urlnopad } from '@scure/base'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { isRevoked, readBit } from './status-list.ts'

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

const words = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about'
const issuer = identityFromMnemonic(words)
const stranger = identityFromMnemonic('legal winner thank year wave sausage worth useful legal winner thank yellow')
const url = 'https://atoll.example/credentials/status/1'
const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString()

it.each([
  ['a list as it stands is believed', true, issuer, {}],
  ['a list of another signer is not believed', undefined, stranger, { issuer: stranger.did }],
  ["a list in the issuer's name by another is not believed", undefined, stranger, {}],
  [
    'another list of the issuer is not believed',
    undefined,
    issuer,
    { id: 'https://atoll.example/credentials/status/2' },
  ],
  ['a list that is over is not believed', undefined, issuer, { validUntil: anHourAgo }],
  ['a list for suspension is not believed', undefined, issuer, { statusPurpose: 'suspension' }],
])(
  '%s',
  async (_, expected, signer, {
    statusPurpose = 'revocation',
    ...changes
  }: {
    statusPurpose?: string
    issuer?: string
    id?: string
    validUntil?: string
  }) => {
    const encodedList = await encodeList([7])
    const list = {
      id: url,
      issuer: issuer.did,
      validUntil: inAnHour,
      credentialSubject: { statusPurpose, encodedList },
    }
    const signed = await signJws({ ...list, ...changes }, signer, { typ: 'vc+jwt' })
    vi.stubGlobal('fetch', async () => new Response(signed))
    const jws = await signJws({ iss: issuer.did }, issuer)
    const held = { domain: 'reef.example', did: issuer.did, jws, at: 0, until: 0, statusList: url }
    expect(await isRevoked({ ...held, statusIndex: 7 })).toBe(expected)
    expect(await isRevoked({ ...held, statusIndex: 8 })).toBe(expected && false)
  },
)
