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
    const [first, second] = [sealer.seal('密码 secret'), sealer.seal('密码 secret')]
    expect(first).not.toBe(second)
    expect([sealer.open(first), sealer.open(second)]).toEqual(['密码 secret', '密码 secret'])
    expect(first).not.toContain('secret')
  })

  it('refuses what was changed, cut, or sealed with another key', () => {
    const sealer = createSealer(key)
    const sealed = sealer.seal('text')
    for (const last of alphabet.replace(sealed.slice(-1), '')) {
      expect(() => sealer.open(sealed.slice(0, -1) + last), last).toThrow()
    }
    expect(() => sealer.open(sealed.slice(0, 20))).toThrow()
    expect(() => sealer.open('v9.abc')).toThrow(/version/)
    expect(() => createSealer(Buffer.alloc(32, 8)).open(sealed)).toThrow()
  })

  it('derives the same token for the same label, and from another key another', () => {
    const token = createSealer(key).derive('enroll in_1')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(createSealer(key).derive('enroll in_1')).toBe(token)
    expect(createSealer(key).derive('enroll in_2')).not.toBe(token)
    expect(createSealer(Buffer.alloc(32, 8)).derive('enroll in_1')).not.toBe(token)
  })

  it('refuses a short key', () => {
    expect(() => createSealer(Buffer.alloc(16))).toThrow(/32/)
  })
})
