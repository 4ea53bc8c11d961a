/**
 * Enrollment: a single-use token becomes the right to use a token that the agent made itself. Both sides may die at any
 * moment and repeat: issuing again gives the same token (it is derived), enrolling again with the same hash is let in.
 */
import { enrollTokenLifetimeMs } from '@atoll/contract/clusters'
import type { Clock } from '../../../platform/clock.ts'
import { equalSecrets, type Sealer, sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type AgentRef, type InstallRequest, saveInstallRequest } from '../agent-store.ts'
import { findTokenHash, spendEnrollment, takeWorkerEnrollment, upsertEnrollment } from './enrollment-store.ts'

/** The enrollment token of an instance, good for 30 min from now unless it is spent; the same one each time. */
export async function issueEnrollToken(
  { sealer, clock }: { sealer: Sealer; clock: Clock },
  trx: Trx,
  { instanceId, clusterId }: { instanceId: string; clusterId: string },
): Promise<string> {
  const token = sealer.derive(`agent enrolment ${instanceId}`)
  const expiresAt = new Date(clock.now().getTime() + enrollTokenLifetimeMs)
  await upsertEnrollment(trx, { instanceId, clusterId, tokenHash: sha256Hex(token), expiresAt })
  return token
}

/** Makes the row of an instance's agent, of which `install` is desired. */
export type MakeAgent = (instanceId: string, install?: InstallRequest) => Promise<void>

export interface EnrollDeps {
  db: Db
  clock: Clock
  /**
   * Makes the instance of one more host of the cluster, and by `makeAgent` the row of its agent; undefined when it
   * cannot have one (now).
   */
  admitWorker(trx: Trx, clusterId: string, makeAgent: MakeAgent): Promise<string | undefined>
}

/**
 * Lets the agent whose token has `tokenHash` in; again, when the answer to the first time was lost. Refuses with
 * `enrollRefused` a token that is unknown, expired, or spent by another host.
 */
export async function enrollAgent(
  { db, clock, admitWorker }: EnrollDeps,
  { enrollToken, tokenHash }: { enrollToken: string; tokenHash: string },
): Promise<AgentRef> {
  // Found by its hash: how long that takes says nothing about a token.
  const enrollTokenHash = sha256Hex(enrollToken)
  const at = clock.now()
  const place = await db.transaction().execute(async (trx) => {
    const taken = await takeWorkerEnrollment(trx, enrollTokenHash, at)
    if (taken) {
      const makeAgent: MakeAgent = async (instanceId, install) => {
        await upsertEnrollment(trx, { ...taken, instanceId, tokenHash: enrollTokenHash })
        if (install) await saveInstallRequest(trx, install)
      }
      const instanceId = await admitWorker(trx, taken.clusterId, makeAgent)
      // Thrown, so that the token is not spent: there may be room later.
      if (instanceId === undefined) return refuse('enrollRefused')
    }
    return await spendEnrollment(trx, { enrollTokenHash, tokenHash, at })
  })
  return place ?? refuse('enrollRefused')
}

/** The instance that `Authorization: Bearer <instanceId>.<agentToken>` proves; undefined when it proves none. */
export async function findProvenInstance(db: Db, authorization: string | undefined): Promise<string | undefined> {
  const claim = readClaim(authorization)
  if (!claim) return undefined
  const expected = await findTokenHash(db, claim.instanceId)
  return proves(claim, expected) ? claim.instanceId : undefined
}

export interface AgentClaim {
  instanceId: string
  token: string
}

/** Who an agent says it is, and the token by which it would prove that. */
export function readClaim(authorization: string | undefined): AgentClaim | undefined {
  const [, instanceId, token] = /^Bearer (in_[a-z0-9]{8,40})\.([\w-]{20,100})$/.exec(authorization ?? '') ?? []
  return instanceId && token ? { instanceId, token } : undefined
}

/** Whether the claim's token is the one whose SHA-256 is `expected`. */
export function proves({ token }: AgentClaim, expected: string | undefined): boolean {
  return expected !== undefined && equalSecrets(sha256Hex(token), expected)
}
