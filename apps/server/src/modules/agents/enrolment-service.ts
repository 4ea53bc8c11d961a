/**
 * Enrolment: a single-use token becomes the right to use a token that the agent made itself. Both sides may die at any
 * moment and repeat: issuing again gives the same token (it is derived), enrolling again with the same hash is let in.
 */
import { refuse } from '../../http/refusal.ts'
import type { Clock } from '../../platform/clock.ts'
import { equalSecrets, type Sealer, sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { findTokenHash, lockEnrolment, saveTokenHash, upsertEnrolment } from './enrolment-store.ts'

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

/** Refuses with `enrollRefused` a token that is unknown, expired, or spent by another machine. */
export async function enrolAgent(
  { db, clock }: { db: Db; clock: Clock },
  { enrollToken, tokenHash }: { enrollToken: string; tokenHash: string },
): Promise<{ clusterId: string; instanceId: string }> {
  return await db.transaction().execute(async (trx) => {
    const row = await lockEnrolment(trx, sha256Hex(enrollToken))
    if (!row) return refuse('enrollRefused')
    const place = { clusterId: row.cluster_id, instanceId: row.instance_id }
    // The answer to the first time may have been lost: whoever knows both tokens is the one who enrolled.
    if (row.token_hash !== null) return equalSecrets(row.token_hash, tokenHash) ? place : refuse('enrollRefused')
    if (row.enroll_expires_at <= clock.now()) return refuse('enrollRefused')
    await saveTokenHash(trx, row.instance_id, tokenHash, clock.now())
    return place
  })
}

/** The instance that `Authorization: Bearer <instanceId>.<agentToken>` proves; undefined when it proves none. */
export async function findProvenInstance(db: Db, authorization: string | undefined): Promise<string | undefined> {
  const [, instanceId, token] = /^Bearer (in_[a-z0-9]{8,40})\.([\w-]{20,100})$/.exec(authorization ?? '') ?? []
  if (!instanceId || !token) return undefined
  const expected = await findTokenHash(db, instanceId)
  return expected !== undefined && equalSecrets(sha256Hex(token), expected) ? instanceId : undefined
}
