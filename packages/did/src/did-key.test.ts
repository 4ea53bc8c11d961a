import { base58, hex } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { didOfKeyId, didOfPublicKey, isDid, keyIdOfDid, publicKeyOfDid } from './did-key.ts'
import { identityFromMnemonic, identityFromPrivateKey } from './identity.ts'

/** did:key method, test vectors ed25519-x25519.json: seed of the private key → public key (base58) and DID. */
const vectors = [
  ['00', '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS', 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'],
  ['01', '6ASf5EcmmEHTgDJ4X4ZT5vT6iHVJBXPg5AN5YoTCpGWt', 'did:key:z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'],
  ['02', '8pM1DN3RiT8vbom5u1sNryaNT1nyL8CTTW3b5PwWXRBH', 'did:key:z6MknGc3ocHs3zdPiJbnaaqDi58NGb4pk1Sp9WxWufuXSdxf'],
  ['03', 'HPYVwAQmskwT1qEEeRzhoomyfyupJGASQQtCXSNG8XS2', 'did:key:z6MkvqoYXQfDDJRv8L4wKzxYeuKyVZBfi9Qo6Ro8MiLH3kDQ'],
  ['04', 'J3qYF7YJMKCqQke47UQwiHizgFUXapHxRxKmxbkar89x', 'did:key:z6MkwW6aqMnjgrhJXFUko3NnZPGzVpkNzhYK7yEhnsibmLwL'],
] as const

describe('did:key', () => {
  test.each(vectors)('the method’s vector with seed …%s', (seed, publicKey, did) => {
    const identity = identityFromPrivateKey(hex.decode(seed.padStart(64, '0')))
    expect(base58.encode(identity.publicKey)).toBe(publicKey)
    expect(identity.did).toBe(did)
    expect(identity.kid).toBe(`${did}#${did.slice('did:key:'.length)}`)
    expect(base58.encode(publicKeyOfDid(did) ?? new Uint8Array())).toBe(publicKey)
  })

  test('the DID LarePass makes of the known phrase', () => {
    const identity = identityFromMnemonic(`${'abandon '.repeat(11)}about`)
    expect(identity.did).toBe('did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2')
    expect(identityFromMnemonic(` ${'Abandon\n'.repeat(11)}ABOUT `)).toEqual(identity)
    expect(identityFromPrivateKey(identity.privateKey)).toEqual(identity)
  })

  test('a phrase with a wrong word makes no identity', () => {
    expect(() => identityFromMnemonic('abandon '.repeat(12))).toThrow(TypeError)
  })

  test('any key survives the way there and back, and its key id names it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const did = didOfPublicKey(key)
        expect(did).toMatch(/^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/)
        expect(publicKeyOfDid(did)).toEqual(key)
        expect(didOfKeyId(keyIdOfDid(did))).toBe(did)
        expect(didOfKeyId(did)).toBe(did)
      }),
    )
  })

  const did = vectors[0][2]
  test.each([
    '',
    'did:key:',
    'did:key:z',
    did.slice(0, -1),
    `${did}1`,
    `${did}#${did.slice(8)}`,
    did.replace('z6Mk', 'z6LS'),
    did.replace('did:key', 'did:web'),
    did.replace('i', '0'),
    did.replace('i', 'İ'),
    `did:key:z${'1'.repeat(100_000)}`,
    `did:key:z${base58.encode(Uint8Array.of(0xe7, 0x01, ...new Uint8Array(32)))}`,
  ])('text %# is not one', (text) => expect(isDid(text)).toBe(false))

  test.each([`${did}#`, `${did}#key-1`, `${did}#${did.slice(8)}#`, `#${did.slice(8)}`])('%s is not a key id', (text) =>
    expect(didOfKeyId(text)).toBeUndefined(),
  )

  test('a key of another length is a programming error', () => {
    expect(() => didOfPublicKey(new Uint8Array(31))).toThrow(RangeError)
  })
})
