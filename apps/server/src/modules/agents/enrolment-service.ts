/**
 * Enrolment: a single-use token becomes the right to use a token that the agent made itself. Both sides may die at any
 * moment and repeat: issuing again gives the same token (it is derived), enrolling again with the same hash is let in.
 */
import { refuse } from '../../http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets, type Sealer, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { AgentRef } from './agent-store.ts'
import { findTokenHash, spendEnrolment, upsertEnrolment } from './enrolment-store.ts'

/** From the last issue to enrolment (lifecycle, "Agent": single-use, 30 min). ms */
export const enrollTokenLifetimeMs = 30 * 60_000

/** The enrolment token of an instance, good for 30 min from now unless it is spent; the same one each time. */
export async function issueEnrollToken(
  { sealer, clock }: { sealer: Sealer; clock: Clock },
  trx: Trx,
  { instanceId, clusterId }: { instanceId: string; clusterId: string },
): Promise<string> {
  const token = sealer.derive(`agent enrolment ${instanceId}`)
  const expiresAt = new Date(clock.now().getTime() + enrollTokenLifetimeMs)
  await upsertEnrolment(trx, { instanceId, clusterId, tokenHash: sha256Hex(token), expiresAt })
  return token
}

/**
 * Lets the agent whose token has `tokenHash` in; again, when the answer to the first time was lost. Refuses with
 * `enrollRefused` a token that is unknown, expired, or spent by another machine.
 */
export async function enrolAgent(
  { db, clock }: { db: Db; clock: Clock },
  { enrollToken, tokenHash }: { enrollToken: string; tokenHash: string },
): Promise<AgentRef> {
  // Found by its hash: how long that takes says nothing about a token.
  const place = await spendEnrolment(db, { enrollTokenHash: sha256Hex(enrollToken), tokenHash, at: clock.now() })
  return place ?? refuse('enrollRefused')
}

/** The instance that `Authorization: Bearer <instanceId>.<agentToken>` proves; undefined when it proves none. */
export async function findProvenInstance(db: Db, authorization: string | undefined): Promise<string | undefined> {
  const [, instanceId, token] = /^Bearer (in_[a-z0-9]{8,40})\.([\w-]{20,100})$/.exec(authorization ?? '') ?? []
  if (!instanceId || !token) return undefined
  const expected = await findTokenHash(db, instanceId)
  return expected !== undefined && equalSecrets(sha256Hex(token), expected) ? instanceId : undefined
}
