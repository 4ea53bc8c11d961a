/** Commands that bring a machine in the place of a cluster's own, and the agents whose machines were replaced. */
import type { RestoreSource } from '@atoll/contract/backups'
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import '../agents-tables.ts'

export interface Replacement {
  clusterId: string
  expiresAt: Date
  /** The backup that the new machine's files come from; null: it begins empty. */
  restore: RestoreSource | null
}

/** Keeps the token of a command that replaces a cluster's machine, in place of the one before. */
export async function saveReplacement(
  trx: Trx,
  { clusterId, expiresAt, restore, tokenHash }: Replacement & { tokenHash: string },
): Promise<void> {
  const row = {
    enroll_token_hash: tokenHash,
    expires_at: expiresAt,
    restore: restore === null ? null : JSON.stringify(restore),
  }
  await trx
    .insertInto('replacement_enrollments')
    .values({ ...row, cluster_id: clusterId })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(row))
    .execute()
}

/** Takes the token out, so that it brings one machine; undefined when it is unknown or expired. */
export async function takeReplacement(trx: Trx, enrollTokenHash: string, at: Date): Promise<Replacement | undefined> {
  return await trx
    .deleteFrom('replacement_enrollments')
    .where('enroll_token_hash', '=', enrollTokenHash)
    .where('expires_at', '>', at)
    .returning(['cluster_id as clusterId', 'expires_at as expiresAt', 'restore'])
    .executeTakeFirst()
}

/** Keeps what it takes to tell the agent of `instanceId` why it is refused. One that never enrolled is left out. */
export async function insertReplacedAgent(trx: Trx, instanceId: string): Promise<void> {
  await trx
    .insertInto('replaced_agents')
    .columns(['instance_id', 'token_hash', 'replaced_at'])
    .expression((from) =>
      from
        .selectFrom('agents')
        .select(['instance_id', sql<string>`token_hash`.as('token_hash'), sql<Date>`clock_timestamp()`.as('at')])
        .where('instance_id', '=', instanceId)
        .where('token_hash', 'is not', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** SHA-256 of the token of an agent whose machine was replaced, hex. */
export async function findReplacedTokenHash(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('replaced_agents')
    .select('token_hash')
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
  return row?.token_hash
}

export async function deleteReplacementsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('replacement_enrollments').where('expires_at', '<', before).execute()
}

export async function deleteReplacedAgentsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('replaced_agents').where('replaced_at', '<', before).execute()
}
