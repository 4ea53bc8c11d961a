/** Resolution behind the DIF `did-resolver` interface: a did:key by itself, a name by asking an identity service. */
import { dottedName, identityTimeoutMs, ResolutionResult } from '@atoll/contract'
import { type DIDResolutionResult, type Resolvable, Resolver } from 'did-resolver'
import { failedResolution, resolveDidKey } from './did-document.ts'

export type { DIDDocument, DIDResolutionResult, Resolvable } from 'did-resolver'

/**
 * A DIF resolver for did:key; it never touches the network. Another method answers `methodNotSupported`, the code of the
 * DID resolution specification and of our wire, where this version of the library says `unsupportedDidMethod`.
 */
export function createDidResolver(): Resolvable {
  const resolver = new Resolver({ key: async (did) => resolveDidKey(did) })
  return {
    resolve: async (did, options) => {
      const result = await resolver.resolve(did, options)
      const unsupported = result.didResolutionMetadata.error === 'unsupportedDidMethod'
      return unsupported ? failedResolution('methodNotSupported') : result
    },
  }
}

export interface NameResolverOptions {
  /** Address of the identity service, without a final slash. */
  baseUrl: string
  fetch: typeof globalThis.fetch
  /** ms; spec §9. */
  timeoutMs?: number
}

/**
 * Gives a function from `name@domain` to the DID document bound to it. The service is believed about *which* DID a name
 * has, never about its key: the document is rebuilt from the DID. Failing to ask is `internalError`, not `notFound`.
 */
export function createNameResolver(options: NameResolverOptions): (name: string) => Promise<DIDResolutionResult> {
  return async (name) => {
    const url = `${options.baseUrl}/1.0/name/${encodeURIComponent(dottedName(name))}`
    const signal = AbortSignal.timeout(options.timeoutMs ?? identityTimeoutMs)
    let answer: unknown
    try {
      const response = await options.fetch(url, { headers: { accept: 'application/json' }, signal })
      answer = await response.json()
    } catch (error) {
      return failedResolution('internalError', error instanceof Error ? error.message : String(error))
    }
    const result = ResolutionResult.safeParse(answer)
    if (!result.success) return failedResolution('internalError', 'not a DID resolution result')
    const { didDocument, didResolutionMetadata } = result.data
    if (!didDocument) return failedResolution(didResolutionMetadata.error === 'invalidDid' ? 'invalidDid' : 'notFound')
    return resolveDidKey(didDocument.id)
  }
}
