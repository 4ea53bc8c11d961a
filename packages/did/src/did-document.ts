/**
 * The DID document of a did:key: derived from the DID alone, nothing is looked up (did:key method, "Document
 * creation").
 */
import type { DIDDocument, DIDResolutionResult } from 'did-resolver'
import { isDid, keyIdOfDid } from './did-key.ts'

/**
 * The document of an Ed25519 did:key. It has no `keyAgreement`: the method makes deriving an encryption key optional
 * (`enableEncryptionKeyDerivation`), and nobody encrypts to these DIDs. Undefined when `did` is not such a DID.
 */
function documentOfDid(did: string): DIDDocument | undefined {
  if (!isDid(did)) return undefined
  const keyId = keyIdOfDid(did)
  return {
    '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/suites/ed25519-2020/v1'],
    id: did,
    verificationMethod: [
      {
        id: keyId,
        type: 'Ed25519VerificationKey2020',
        controller: did,
        publicKeyMultibase: did.slice('did:key:'.length),
      },
    ],
    authentication: [keyId],
    assertionMethod: [keyId],
    capabilityInvocation: [keyId],
    capabilityDelegation: [keyId],
  }
}

/** DIF resolution errors this package answers (wire, "Identity service"). */
export type ResolutionError = 'invalidDid' | 'notFound' | 'methodNotSupported'

/** A resolution result without a document. */
export function failedResolution(error: ResolutionError): DIDResolutionResult {
  return { didResolutionMetadata: { error }, didDocument: null, didDocumentMetadata: {} }
}

/** The resolution result of a did:key, or `invalidDid`. */
export function resolveDidKey(did: string): DIDResolutionResult {
  const didDocument = documentOfDid(did)
  if (!didDocument) return failedResolution('invalidDid')
  return { didResolutionMetadata: { contentType: 'application/did+ld+json' }, didDocument, didDocumentMetadata: {} }
}
