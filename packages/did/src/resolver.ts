/** Resolution behind the DIF `did-resolver` interface. */
import { type Resolvable, Resolver } from 'did-resolver'
import { failedResolution, resolveDidKey } from './did-document.ts'

export type { DIDDocument, DIDResolutionResult, Resolvable } from 'did-resolver'

/**
 * A DIF resolver for did:key; it never touches the network. Another method answers `methodNotSupported`, the code of
 * the DID resolution specification and of our wire, where this version of the library says `unsupportedDidMethod`.
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
