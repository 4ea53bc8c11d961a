/** Reads a wallet's application: signed twice by the one who is signed in, for this domain, on our own forms. */
import { ApplicationPayload, SelfIssuedPayload } from '@atoll/contract/credentials'
import type { Locale } from '@atoll/contract/wire'
import { didOfKeyId } from '@atoll/did'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'
import { verifySignedRequest } from '../identity/index.ts'
import { applicationDefinitionId, applicationDescriptorId, manifestId, schemaUrl } from './documents.ts'

export interface Application {
  id: string
  /** An address that the wallet claims; nothing proves it. */
  owner: string
}

export interface SignedFor {
  did: string
  /** A-labels. */
  domain: string
  now: Date
  locale: Locale
  config: { publicUrl: string; chinaUrl: string }
}

/** Refuses with what is wrong. */
export async function readApplication(jws: string, expected: SignedFor): Promise<Application> {
  const { did, domain, locale, config } = expected
  const outer = await verifySignedRequest(jws, expected)
  if (outer.did !== did) refuse('signedByOther')
  const payload = readParameters(ApplicationPayload, outer.payload, locale)
  const { credential_application: application } = payload
  const { definition_id, descriptor_map } = application.presentation_submission
  if (application.manifest_id !== manifestId) refuse('applicationForeign', { what: 'manifest_id' })
  if (definition_id !== applicationDefinitionId) refuse('applicationForeign', { what: 'definition_id' })
  if (descriptor_map[0]?.id !== applicationDescriptorId) refuse('applicationForeign', { what: 'descriptor_map' })
  if (didOfKeyId(application.applicant) !== did) refuse('applicationDiffers', { what: 'applicant' })

  const [selfIssued = ''] = payload.verifiableCredentials
  const inner = await verifySignedRequest(selfIssued, expected)
  if (inner.did !== did) refuse('signedByOther')
  const { vc } = readParameters(SelfIssuedPayload, inner.payload, locale)
  // A wallet whose language is Chinese read our forms at the other host.
  const schemas = [config.publicUrl, config.chinaUrl].map((publicUrl) => schemaUrl({ publicUrl }, 'domain-application'))
  if (!schemas.includes(vc.credentialSchema.id)) refuse('applicationForeign', { what: 'credentialSchema' })
  const subject = vc.credentialSubject
  if (subject.domain !== domain) refuse('applicationDiffers', { what: 'domain' })
  for (const field of ['id', 'did', 'cloudid'] as const)
    if (didOfKeyId(subject[field]) !== did) refuse('applicationDiffers', { what: field })
  return { id: application.id, owner: subject.owner }
}
