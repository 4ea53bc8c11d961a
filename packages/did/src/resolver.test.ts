import { describe, expect, test } from 'vitest'
import { resolveDidKey } from './did-document.ts'
import { createDidResolver, createNameResolver } from './resolver.ts'

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
  ])('%j: %s', async (text, error) => {
    expect(await resolver.resolve(text)).toMatchObject({ didResolutionMetadata: { error }, didDocument: null })
  })
})

describe('a name resolver', () => {
  function resolverFor(answer: () => Response | Promise<Response>) {
    const asked: string[] = []
    const fetch = async (url: string | URL | Request) => {
      asked.push(String(url))
      return await answer()
    }
    return { asked, resolve: createNameResolver({ baseUrl: 'http://id.test', fetch }) }
  }

  test('asks for the name with a dot and gives the document', async () => {
    const { asked, resolve } = resolverFor(() => Response.json(resolveDidKey(did)))
    expect((await resolve('reef@atoll.test')).didDocument?.id).toBe(did)
    expect(asked).toEqual(['http://id.test/1.0/name/reef.atoll.test'])
  })

  test('does not believe a document with a foreign key', async () => {
    const forged = structuredClone(resolveDidKey(did))
    const [method] = forged.didDocument?.verificationMethod ?? []
    if (method) method.publicKeyMultibase = 'z6MkjchhfUsD6mmvni8mCdXHw216Xrm9bQe2mBH1P5RDjVJG'
    const { resolve } = resolverFor(() => Response.json(forged))
    expect(await resolve('reef@atoll.test')).toEqual(resolveDidKey(did))
  })

  test.each([
    [
      'an unknown name',
      () =>
        Response.json(
          { didResolutionMetadata: { error: 'notFound' }, didDocument: null, didDocumentMetadata: {} },
          { status: 404 },
        ),
      'notFound',
    ],
    ['a page instead of JSON', () => new Response('<html>'), 'internalError'],
    ['another shape', () => Response.json({ code: 0 }), 'internalError'],
    ['a refused connection', () => Promise.reject(new TypeError('fetch failed')), 'internalError'],
  ])('%s', async (_, answer, error) => {
    const { resolve } = resolverFor(answer)
    expect((await resolve('reef@atoll.test')).didResolutionMetadata.error).toBe(error)
  })
})
