/**
 * Reads a wallet's presentation: signed by the one who is signed in, of one credential that we issued to them for this
 * domain, in time and not revoked. Wallets invent the nonce and name no audience: that it is new for this holder is
 * what makes it fresh.
 */
import { PresentationPayload } from '@atoll/contract/credentials'
import { checkTimes, didOfKeyId, JwsRefusal, verifyJws } from '@atoll/did'
import { z } from 'zod'
import { sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { readParameters } from '../../platform/parameters.ts'
import { refuse } from '../../platform/refusal.ts'
import { verifySignedRequest } from '../identity/index.ts'
import { presentationDefinitionId, presentationDescriptorId } from './documents.ts'
import type { SignedFor } from './read-application.ts'
import { findCredential, keepNonce } from './stores/credential-store.ts'

export interface Presented {
  nonce: string
  /** Of the whole presentation: the same once more is known by it. */
  hash: string
}

const Times = z.object({ jti: z.string(), nbf: z.number(), exp: z.number() })

/** Refuses with what is wrong. `number`: of the claim to the domain. */
export async function readPresentation(
  db: Db,
  jws: string,
  expected: SignedFor & { number: number; userid: string },
): Promise<Presented> {
  const { did, locale, config } = expected
  const { did: signer, payload } = await verifySignedRequest(jws, expected)
  if (signer !== did) refuse('signedByOther')
  const { sub, aud, nonce, vp } = readParameters(PresentationPayload, payload, locale)
  for (const holder of [vp.holder, sub ?? vp.holder]) if (didOfKeyId(holder) !== did) refuse('signedByOther')
  const audiences = aud === undefined ? [] : [aud].flat()
  const ours = [config.publicUrl, config.chinaUrl]
  if (audiences.length > 0 && !audiences.some((one) => ours.includes(one.replace(/\/$/, ''))))
    refuse('presentationForeign', { what: 'aud' })
  const { definition_id, descriptor_map } = vp.presentation_submission
  if (definition_id !== presentationDefinitionId) refuse('presentationForeign', { what: 'definition_id' })
  if (descriptor_map[0]?.id !== presentationDescriptorId) refuse('presentationForeign', { what: 'descriptor_map' })
  const [credential = ''] = vp.verifiableCredential
  await requireCredential(db, credential, expected)
  return { nonce, hash: sha256Hex(jws) }
}

async function requireCredential(
  db: Db,
  jws: string,
  { userid, domain, number, now }: SignedFor & { number: number; userid: string },
): Promise<void> {
  const foreign = () => refuse('credentialForeign', { domain })
  const verified = await verifyJws(jws).catch((error: unknown) => {
    if (error instanceof JwsRefusal) return undefined
    throw error
  })
  if (!verified) return foreign()
  const claims = Times.safeParse(verified.payload)
  const row = claims.success ? await findCredential(db, claims.data.jti) : undefined
  // The issuer in the row is this deployment's own. Retired keys sign nothing more, and credentials that they signed
  // stay valid.
  if (!claims.success || row?.issuer !== verified.did || row.userid !== userid || row.domain !== number)
    return foreign()
  if (row.revoked_at !== null) refuse('credentialRevoked')
  if (checkTimes(claims.data, now.getTime())) refuse('credentialExpired')
}

/** Takes the nonce. True: this very presentation was taken before. Refuses another one with its nonce. */
export async function takeNonce(trx: Trx, holder: string, { nonce, hash }: Presented, at: Date): Promise<boolean> {
  const seen = await keepNonce(trx, { holder, nonce, presentation_hash: hash, at })
  if (seen === 'other') refuse('presentationRepeated')
  return seen === 'same'
}
