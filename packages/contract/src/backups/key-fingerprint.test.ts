import { generateKeyPairSync } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose'
import { expect, test } from 'vitest'
import { keyFingerprint } from './key-fingerprint.ts'

test('is the beginning of the thumbprint, whatever else the key says', async () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const thumbprint = Buffer.from(await calculateJwkThumbprint({ kty, crv, x, y }), 'base64url').toString('hex')
  const pairs = thumbprint.slice(0, 16).match(/../g)?.join(':')
  const key = { y, x, use: 'enc', crv, kty }
  expect(await keyFingerprint(key)).toBe(pairs)
  expect(pairs).toMatch(/^([0-9a-f]{2}:){7}[0-9a-f]{2}$/)
})
