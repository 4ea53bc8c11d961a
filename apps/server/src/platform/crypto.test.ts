import { describe, expect, it } from 'vitest'
import { createSealer, equalSecrets, newId, randomToken, sha256Hex } from './crypto.ts'

const key = Buffer.alloc(32, 7)

describe('tokens and ids', () => {
  it('have the promised shape and do not repeat', () => {
    expect(randomToken()).toMatch(/^[\w-]{43}$/)
    expect(newId('cl')).toMatch(/^cl_[a-z2-7]{20}$/)
    expect(new Set(Array.from({ length: 1000 }, () => newId('in'))).size).toBe(1000)
  })

  it('hashes as SHA-256 does', () => {
    // FIPS 180-2, appendix B.1
    expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('compares secrets of any length', () => {
    expect(equalSecrets('same', 'same')).toBe(true)
    expect(equalSecrets('same', 'same but longer')).toBe(false)
    expect(equalSecrets('', '')).toBe(true)
  })
})

/** Of base64url. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a sealer', () => {
  it('opens what it sealed, and seals the same text differently each time', () => {
    const sealer = createSealer(key)
    const [first, second] = [
      sealer.seal('mail parameters', '密码 secret'),
      sealer.seal('mail parameters', '密码 secret'),
    ]
    expect(first).not.toBe(second)
    expect([sealer.open('mail parameters', first), sealer.open('mail parameters', second)]).toEqual([
      '密码 secret',
      '密码 secret',
    ])
    expect(first).not.toContain('secret')
  })

  it('refuses what was changed, cut, or sealed with another key', () => {
    const sealer = createSealer(key)
    const sealed = sealer.seal('mail parameters', 'text')
    for (const last of alphabet.replace(sealed.slice(-1), '')) {
      expect(() => sealer.open('mail parameters', sealed.slice(0, -1) + last), last).toThrow()
    }
    expect(() => sealer.open('mail parameters', sealed.slice(0, 20))).toThrow()
    expect(() => sealer.open('mail parameters', 'v9.abc')).toThrow(/version/)
    expect(() => createSealer(Buffer.alloc(32, 8)).open('mail parameters', sealed)).toThrow()
  })

  it('derives the same token for the same label, and from another key another', () => {
    const token = createSealer(key).derive('frp', 'in_1')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(createSealer(key).derive('frp', 'in_1')).toBe(token)
    expect(createSealer(key).derive('frp', 'in_2')).not.toBe(token)
    expect(createSealer(Buffer.alloc(32, 8)).derive('frp', 'in_1')).not.toBe(token)
  })

  it('opens and takes what an older key made, makes new values with its own, and says which key did', () => {
    const [old, next] = [createSealer(key), createSealer(Buffer.alloc(32, 8), { older: [key], isNamed: true })]
    const sealed = next.seal('mail parameters', 'text')
    expect(sealed.startsWith(`v2.${next.keyId}.`)).toBe(true)
    expect(next.open('mail parameters', old.seal('mail parameters', 'from before'))).toBe('from before')
    expect(next.open('mail parameters', sealed)).toBe('text')
    expect(() => old.open('mail parameters', sealed)).toThrow(new RegExp(`key ${next.keyId}, which is not here`))
    expect(next.accepts('frp', 'in_1', old.derive('frp', 'in_1'))).toBe(true)
    expect(next.accepts('frp', 'in_1', next.derive('frp', 'in_1'))).toBe(true)
    expect(old.accepts('frp', 'in_1', next.derive('frp', 'in_1'))).toBe(false)
    expect(next.deriveEach('frp', 'in_1')).toEqual([next.derive('frp', 'in_1'), old.derive('frp', 'in_1')])
  })

  it('opens nothing that was sealed for another use, once keys have ids', () => {
    const named = createSealer(key, { isNamed: true })
    expect(() => named.open('tunnel token', named.seal('mail parameters', 'text'))).toThrow()
    for (const changed of ['v2.abc', `v1.${named.keyId}.abcd`, 'v2..abcd'])
      expect(() => named.open('mail parameters', changed)).toThrow()
  })

  it('refuses a short key', () => {
    expect(() => createSealer(Buffer.alloc(16))).toThrow(/32/)
  })
})
