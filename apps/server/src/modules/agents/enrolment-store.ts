import type { InstallState } from '@atoll/contract'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { AgentsRow } from './agents-tables.ts'
import './agents-tables.ts'

const waiting: InstallState = { state: 'waiting', taskId: null, reason: null, steps: [] }

/** Makes the row of an instance's agent, or moves the expiry of one that has not enrolled; the token stays the same. */
export async function upsertEnrolment(
  trx: Trx,
  enrolment: { instanceId: string; clusterId: string; tokenHash: string; expiresAt: Date },
): Promise<void> {
  await trx
    .insertInto('agents')
    .values({
      instance_id: enrolment.instanceId,
      cluster_id: enrolment.clusterId,
      enroll_token_hash: enrolment.tokenHash,
      enroll_expires_at: enrolment.expiresAt,
      install: JSON.stringify(waiting),
    })
    .onConflict((conflict) => conflict.column('instance_id').doUpdateSet({ enroll_expires_at: enrolment.expiresAt }))
    .execute()
}

/** The row that `enrollTokenHash` opens, locked: of two that come with one token, the second sees the first's hash. */
export async function lockEnrolment(trx: Trx, enrollTokenHash: string): Promise<AgentsRow | undefined> {
  return await trx
    .selectFrom('agents')
    .selectAll()
    .where('enroll_token_hash', '=', enrollTokenHash)
    .forUpdate()
    .executeTakeFirst()
}

export async function saveTokenHash(trx: Trx, instanceId: string, tokenHash: string, at: Date): Promise<void> {
  await trx
    .updateTable('agents')
    .set({ token_hash: tokenHash, enrolled_at: at })
    .where('instance_id', '=', instanceId)
    .execute()
}

/** SHA-256 of the agent's token, hex; undefined for an instance that is unknown or has not enrolled. */
export async function findTokenHash(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('token_hash')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row?.token_hash ?? undefined
}
