/**
 * Enrollment: a single-use token becomes the right to use a token that the agent made itself. Both sides may die at any
 * moment and repeat: issuing again gives the same token (it is derived), enrolling again with the same hash is let in.
 */
import { enrollTokenLifetimeMs } from '@atoll/contract/clusters'
import type { Clock } from '../../../platform/clock.ts'
import { equalSecrets, type Sealer, sha256Hex } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { forgetAgents } from '../agent-service.ts'
import { type AgentRef, type InstallRequest, saveInstallRequest } from '../agent-store.ts'
import {
  findTokenHash,
  replaceEnrollment,
  spendEnrollment,
  takeWorkerEnrollment,
  upsertEnrollment,
} from './enrollment-store.ts'
import { findReplacedTokenHash, insertReplacedAgent, type Replacement, takeReplacement } from './replacement-store.ts'

/** The enrollment token of an instance, good for 30 min from now unless it is spent; the same one each time. */
export async function issueEnrollToken(
  { sealer, clock }: { sealer: Sealer; clock: Clock },
  trx: Trx,
  { instanceId, clusterId }: { instanceId: string; clusterId: string },
): Promise<string> {
  const tokens = sealer.deriveEach('agent enrolment', instanceId)
  const [newest = ''] = tokens
  const expiresAt = new Date(clock.now().getTime() + enrollTokenLifetimeMs)
  const kept = await upsertEnrollment(trx, { instanceId, clusterId, tokenHash: sha256Hex(newest), expiresAt })
  // One that was issued with an older key stays the same as well.
  const same = tokens.find((token) => sha256Hex(token) === kept)
  if (same === undefined)
    await replaceEnrollment(trx, { instanceId, clusterId, tokenHash: sha256Hex(newest), expiresAt })
  return same ?? newest
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
  /**
   * Makes the instance that takes the place of the cluster's master, and by `agents` forgets the agent of the old one
   * and makes the row of the new one; undefined when the master cannot be replaced (now).
   */
  replaceMaster(
    trx: Trx,
    asked: Pick<Replacement, 'clusterId' | 'restore'>,
    agents: { forget(instanceId: string): Promise<void>; make: MakeAgent },
  ): Promise<string | undefined>
}

/**
 * Lets the agent whose token has `tokenHash` in; again, when the answer to the first time was lost. Refuses with
 * `enrollRefused` a token that is unknown, expired, or spent by another host.
 */
export async function enrollAgent(
  { db, clock, admitWorker, replaceMaster }: EnrollDeps,
  { enrollToken, tokenHash }: { enrollToken: string; tokenHash: string },
): Promise<AgentRef> {
  // Found by its hash: how long that takes says nothing about a token.
  const enrollTokenHash = sha256Hex(enrollToken)
  const at = clock.now()
  const place = await db.transaction().execute(async (trx) => {
    const worker = await takeWorkerEnrollment(trx, enrollTokenHash, at)
    const replacement = worker ? undefined : await takeReplacement(trx, enrollTokenHash, at)
    const taken = worker ?? replacement
    if (taken) {
      const { clusterId, expiresAt } = taken
      const make: MakeAgent = async (instanceId, install) => {
        await upsertEnrollment(trx, { instanceId, clusterId, expiresAt, tokenHash: enrollTokenHash })
        if (install) await saveInstallRequest(trx, install)
      }
      const instanceId = replacement
        ? await replaceMaster(trx, replacement, { make, forget: (old) => forgetReplaced(trx, old) })
        : await admitWorker(trx, clusterId, make)
      // Thrown, so that the token is not spent: there may be room later.
      if (instanceId === undefined) return refuse('enrollRefused')
    }
    return await spendEnrollment(trx, { enrollTokenHash, tokenHash, at })
  })
  return place ?? refuse('enrollRefused')
}

/** Forgets an agent whose machine was replaced, but for what tells it so should it come back. */
async function forgetReplaced(trx: Trx, instanceId: string): Promise<void> {
  await insertReplacedAgent(trx, instanceId)
  await forgetAgents(trx, [instanceId])
}

/** Whether `authorization` proves the agent of a machine that was replaced. */
export async function isReplaced(db: Db, authorization: string | undefined): Promise<boolean> {
  const claim = readClaim(authorization)
  return claim !== undefined && proves(claim, await findReplacedTokenHash(db, claim.instanceId))
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

/** The instance that an agent claims to be, and the token to prove it. */
export function readClaim(authorization: string | undefined): AgentClaim | undefined {
  const [, instanceId, token] = /^Bearer (in_[a-z0-9]{8,40})\.([\w-]{20,100})$/.exec(authorization ?? '') ?? []
  return instanceId && token ? { instanceId, token } : undefined
}

/** Whether the claim's token is the one whose SHA-256 is `expected`. */
export function proves({ token }: AgentClaim, expected: string | undefined): boolean {
  return expected !== undefined && equalSecrets(sha256Hex(token), expected)
}
