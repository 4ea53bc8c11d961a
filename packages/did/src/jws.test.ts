import { base64urlnopad, hex } from '@scure/base'
import fc from 'fast-check'
import { CompactSign, compactVerify, importJWK } from 'jose'
import { describe, expect, test } from 'vitest'
import { didOfPublicKey } from './did-key.ts'
import { identityFromPrivateKey } from './identity.ts'
import { JwsRefusal, signJws, verifyJws } from './jws.ts'
import { rfc7515, rfc7515Keys } from './rfc7515.fixture.ts'

const reef = identityFromPrivateKey(new Uint8Array(32).fill(1))
const other = identityFromPrivateKey(new Uint8Array(32).fill(2))

function encode(value: unknown): string {
  return base64urlnopad.encode(new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value)))
}

/** Signs any header and payload with reef's real key: what a hostile signer can do. */
async function signRaw(header: Record<string, unknown>, payload: string): Promise<string> {
  const pkcs8 = Uint8Array.of(...hex.decode('302e020100300506032b657004220420'), ...reef.privateKey)
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign'])
  const input = `${encode(header)}.${encode(payload)}`
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(input))
  return `${input}.${base64urlnopad.encode(new Uint8Array(signature))}`
}

async function faultOf(jws: string, did?: string): Promise<string> {
  try {
    await verifyJws(jws, did === undefined ? {} : { did })
    return 'accepted'
  } catch (error) {
    if (error instanceof JwsRefusal) return error.fault
    throw error
  }
}

describe('RFC 8037 appendix A', () => {
  const key = identityFromPrivateKey(base64urlnopad.decode('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'))
  const jws =
    'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.' +
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'

  test('A.1, A.2: the public key of the private one', () => {
    expect(base64urlnopad.encode(key.publicKey)).toBe('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
  })

  test('A.4: the same signature over the same bytes', async () => {
    const pair = {
      kty: 'OKP',
      crv: 'Ed25519',
      x: base64urlnopad.encode(key.publicKey),
      d: base64urlnopad.encode(key.privateKey),
    }
    const signed = await new CompactSign(new TextEncoder().encode('Example of Ed25519 signing'))
      .setProtectedHeader({ alg: 'EdDSA' })
      .sign(pair)
    expect(signed).toBe(jws)
  })

  test('A.5: the signature verifies, and what it signs, which is not JSON, is refused after that', async () => {
    await expect(verifyJws(jws, { did: key.did })).rejects.toThrow('what is signed is not JSON')
    await expect(verifyJws(jws, { did: reef.did })).rejects.toThrow('was not made by the key')
  })
})

describe('RFC 7515 appendix A', () => {
  test.each(Object.entries(rfc7515))('%s is an algorithm we refuse', async (_, jws) => {
    expect(await faultOf(jws, reef.did)).toBe('algorithm')
  })

  test.each(['A.1 HS256', 'A.3 ES256'] as const)(
    '%s verifies with its own key, so the example is intact',
    async (name) => {
      const key = await importJWK({ ...rfc7515Keys[name] }, name.slice(4))
      const { payload } = await compactVerify(rfc7515[name], key)
      expect(new TextDecoder().decode(payload)).toContain('"iss":"joe"')
    },
  )

  test('A.6 and A.7, the JSON serialisations, are malformed', async () => {
    const [header, payload, signature] = rfc7515['A.3 ES256'].split('.')
    expect(await faultOf(JSON.stringify({ payload, protected: header, signature }))).toBe('malformed')
    expect(await faultOf(JSON.stringify({ payload, signatures: [{ protected: header, signature }] }))).toBe('malformed')
  })
})

describe('signing and verifying', () => {
  test('the header is what the wire says', async () => {
    const jws = await signJws({ secret: 'x' }, reef)
    expect(jws).not.toContain('=')
    const { did, payload, header } = await verifyJws(jws)
    expect(header).toEqual({ alg: 'EdDSA', kid: `${reef.did}#${reef.did.slice('did:key:'.length)}` })
    expect({ did, payload }).toEqual({ did: reef.did, payload: { secret: 'x' } })
  })

  test('any JSON object comes back as it was signed', async () => {
    const payloads = fc
      .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())
      .filter((object) => !('iss' in object))
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const verified = await verifyJws(await signJws(payload, reef), { did: reef.did })
        expect(verified.payload).toEqual(JSON.parse(JSON.stringify(payload)))
      }),
    )
  })

  test('is by the expected DID however that is written', async () => {
    expect(await faultOf(await signJws({}, reef), reef.kid)).toBe('accepted')
    expect(await faultOf(await signJws({}, other), reef.kid)).toBe('issuer')
  })

  test('any changed character is refused', async () => {
    const jws = await signJws({ iss: reef.kid, secret: 'a'.repeat(32), time: 1 }, reef)
    const anyCharacter = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ')
    await fc.assert(
      fc.asyncProperty(fc.nat(jws.length - 1), anyCharacter, async (at, character) => {
        fc.pre(jws[at] !== character)
        expect(await faultOf(jws.slice(0, at) + character + jws.slice(at + 1), reef.did)).not.toBe('accepted')
      }),
      { numRuns: 1000 },
    )
  })

  test('any flipped bit of the signature’s text is refused, its unused last bits too', async () => {
    const jws = await signJws({ a: 1 }, reef)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const character of alphabet) {
      if (character === jws.at(-1)) continue
      expect(await faultOf(jws.slice(0, -1) + character)).not.toBe('accepted')
    }
  })

  test('any text is refused with a fault, never a crash', async () => {
    const part = fc.oneof(fc.string(), fc.json().map(encode), fc.constant(encode({ alg: 'EdDSA', kid: reef.kid })))
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), async (parts) => {
        expect(['malformed', 'algorithm', 'signature', 'issuer']).toContain(await faultOf(parts.join('.')))
      }),
    )
  })
})

describe('refusals', () => {
  const eddsa = { alg: 'EdDSA', kid: reef.kid }
  test.each([
    ['another key under this kid', async () => await signJws({}, { ...other, kid: reef.kid }), 'signature'],
    ['another DID than expected', () => signJws({}, other), 'issuer'],
    ['iss of another DID', () => signJws({ iss: other.kid }, reef), 'issuer'],
    ['iss with a foreign fragment', () => signJws({ iss: `${reef.did}#${other.did.slice(8)}` }, reef), 'issuer'],
    ['iss that is no text', () => signJws({ iss: [reef.kid] }, reef), 'issuer'],
    ['header iss of another DID', () => signJws({ iss: reef.kid }, reef, { iss: other.kid }), 'issuer'],
    ['kid of another method', () => signRaw({ alg: 'EdDSA', kid: 'did:web:a.test#key' }, '{}'), 'issuer'],
    ['kid that is no text', () => signRaw({ alg: 'EdDSA', kid: 1 }, '{}'), 'issuer'],
    ['alg in other case', () => signRaw({ ...eddsa, alg: 'eddsa' }, '{}'), 'algorithm'],
    ['no alg', () => signRaw({ kid: reef.kid }, '{}'), 'algorithm'],
    ['a list of algorithms', () => signRaw({ ...eddsa, alg: ['EdDSA'] }, '{}'), 'algorithm'],
    ['an unencoded payload', () => signRaw({ ...eddsa, crit: ['b64'], b64: false }, '{}'), 'malformed'],
    ['a critical extension', () => signRaw({ ...eddsa, crit: ['mfa'], mfa: true }, '{}'), 'malformed'],
    ['a critical extension that is absent', () => signRaw({ ...eddsa, crit: ['mfa'] }, '{}'), 'malformed'],
    ['no critical extension', () => signRaw({ ...eddsa, crit: [] }, '{}'), 'malformed'],
    ['a list as payload', () => signRaw(eddsa, '[]'), 'malformed'],
    ['null as payload', () => signRaw(eddsa, 'null'), 'malformed'],
    ['nothing as payload', () => signRaw(eddsa, ''), 'malformed'],
    ['padding', async () => `${await signJws({}, reef)}==`, 'malformed'],
    ['an oversized text', async () => `${await signJws({ a: 'a'.repeat(70_000) }, reef)}`, 'malformed'],
  ])('%s', async (_, make, fault) => expect(await faultOf(await make(), reef.did)).toBe(fault))

  test('none with the signature left out', async () => {
    expect(await faultOf(`${encode({ alg: 'none', kid: reef.kid })}.${encode({ iss: reef.kid })}.`, reef.did)).toBe(
      'algorithm',
    )
  })

  test('HS256 keyed with the public key, as bytes and as the DID’s text', async () => {
    for (const secret of [reef.publicKey, new TextEncoder().encode(reef.did)]) {
      const jws = await new CompactSign(new TextEncoder().encode('{}'))
        .setProtectedHeader({ alg: 'HS256', kid: reef.kid })
        .sign(Uint8Array.from(secret))
      expect(await faultOf(jws, reef.did)).toBe('algorithm')
    }
  })

  test('a key sent inside the header is not used', async () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: base64urlnopad.encode(reef.publicKey) }
    expect(await faultOf(await signRaw({ alg: 'EdDSA', kid: other.kid, jwk }, '{}'))).toBe('signature')
  })

  test('without kid only the expected DID can have signed', async () => {
    const jws = await signRaw({ alg: 'EdDSA' }, '{}')
    expect(await faultOf(jws, reef.did)).toBe('accepted')
    expect(await faultOf(jws, other.did)).toBe('signature')
    expect(await faultOf(jws)).toBe('issuer')
  })

  test('an expected DID that is none is a refusal', async () => {
    expect(await faultOf(await signRaw({ alg: 'EdDSA' }, '{}'), 'did:web:a.test')).toBe('issuer')
  })

  test('any 32 bytes as a key and any 64 as its signature are a refusal, points off the curve included', async () => {
    const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
    const key = fc.oneof(bytes(32), fc.constant(new Uint8Array(32).fill(0xff)), fc.constant(new Uint8Array(32)))
    await fc.assert(
      fc.asyncProperty(key, bytes(64), async (publicKey, signature) => {
        const did = didOfPublicKey(publicKey)
        const input = `${encode({ alg: 'EdDSA', kid: `${did}#${did.slice(8)}` })}.${encode({})}`
        expect(await faultOf(`${input}.${base64urlnopad.encode(signature)}`, did)).toBe('signature')
      }),
    )
  })

  test('a key of small order signs for nobody else', async () => {
    // The neutral point: with it, S = 0 and R = the same point satisfy the bare equation for every message.
    const neutral = Uint8Array.of(1, ...new Uint8Array(31))
    const weak = didOfPublicKey(neutral)
    const jws = `${encode({ alg: 'EdDSA', kid: `${weak}#${weak.slice(8)}` })}.${encode({})}.${base64urlnopad.encode(Uint8Array.of(...neutral, ...new Uint8Array(32)))}`
    expect(await faultOf(jws, reef.did)).toBe('issuer')
    expect(await faultOf(jws)).toBe('signature')
  })
})
