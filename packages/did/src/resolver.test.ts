import { describe, expect, test } from 'vitest'
import { createDidResolver } from './resolver.ts'

const did = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp'
const keyId = `${did}#z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp`

describe('the resolver', () => {
  const resolver = createDidResolver()

  test('gives the document of the method’s first vector', async () => {
    const { didDocument, didResolutionMetadata } = await resolver.resolve(did)
    expect(didResolutionMetadata).toEqual({ contentType: 'application/did+ld+json' })
    expect(didDocument).toMatchObject({
      id: did,
      verificationMethod: [{ id: keyId, controller: did, publicKeyMultibase: keyId.split('#')[1] }],
      assertionMethod: [keyId],
      authentication: [keyId],
      capabilityInvocation: [keyId],
      capabilityDelegation: [keyId],
    })
  })

  test('resolves a key id to the same document', async () => {
    expect((await resolver.resolve(keyId)).didDocument?.id).toBe(did)
  })

  test.each([
    ['', 'invalidDid'],
    ['reef', 'invalidDid'],
    ['did:key:z6Mk', 'invalidDid'],
    ['did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme', 'invalidDid'],
    ['did:web:example.com', 'methodNotSupported'],
  ])('finds no document for %j and says %s', async (text, error) => {
    expect(await resolver.resolve(text)).toMatchObject({ didResolutionMetadata: { error }, didDocument: null })
  })
})
