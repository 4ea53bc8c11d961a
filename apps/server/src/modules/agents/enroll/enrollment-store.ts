import { type InstallState, taskKinds } from '@atoll/contract/agents'
import { mostWorkerCommands } from '@atoll/contract/clusters'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { AgentRef } from '../agent-store.ts'
import '../agents-tables.ts'

interface Enrollment {
  instanceId: string
  clusterId: string
  tokenHash: string
  expiresAt: Date
}

const waiting: InstallState = { state: 'waiting', taskId: null, reason: null, steps: [] }

function rowOf({ instanceId, clusterId, tokenHash, expiresAt }: Enrollment) {
  return {
    instance_id: instanceId,
    cluster_id: clusterId,
    install: JSON.stringify(waiting),
    enroll_token_hash: tokenHash,
    enroll_expires_at: expiresAt,
  }
}

/**
 * Creates the row of an instance's agent, or extends the expiry of one that has not enrolled; the token stays the same.
 * Returns its hash.
 */
export async function upsertEnrollment(trx: Trx, enrollment: Enrollment): Promise<string> {
  const { enroll_token_hash: hash } = await trx
    .insertInto('agents')
    .values(rowOf(enrollment))
    .onConflict((conflict) => conflict.column('instance_id').doUpdateSet({ enroll_expires_at: enrollment.expiresAt }))
    .returning('enroll_token_hash')
    .executeTakeFirstOrThrow()
  return hash
}

/** Gives the agent of an instance another token; false when an agent has enrolled there already. */
export async function replaceEnrollment(trx: Trx, enrollment: Enrollment): Promise<boolean> {
  const row = await trx
    .insertInto('agents')
    .values(rowOf(enrollment))
    .onConflict((conflict) =>
      conflict
        .column('instance_id')
        .doUpdateSet({ enroll_token_hash: enrollment.tokenHash, enroll_expires_at: enrollment.expiresAt })
        .where('agents.token_hash', 'is', null),
    )
    .returning('instance_id')
    .executeTakeFirst()
  return row !== undefined
}

/** Keeps the token of a worker's command; of the cluster's unused ones the newest `mostWorkerCommands` stay. */
export async function insertWorkerEnrollment(
  trx: Trx,
  { clusterId, tokenHash, expiresAt }: { clusterId: string; tokenHash: string; expiresAt: Date },
): Promise<void> {
  const ofCluster = trx.selectFrom('worker_enrollments').where('cluster_id', '=', clusterId)
  const newest = ofCluster
    .select('enroll_token_hash')
    .orderBy('expires_at', 'desc')
    .limit(mostWorkerCommands - 1)
  await trx
    .deleteFrom('worker_enrollments')
    .where('cluster_id', '=', clusterId)
    .where('enroll_token_hash', 'not in', newest)
    .execute()
  await trx
    .insertInto('worker_enrollments')
    .values({ enroll_token_hash: tokenHash, cluster_id: clusterId, expires_at: expiresAt })
    .execute()
}

/**
 * Takes the token of a worker's command out, so that it brings one host; undefined when it is unknown or expired.
 */
export async function takeWorkerEnrollment(
  trx: Trx,
  enrollTokenHash: string,
  at: Date,
): Promise<{ clusterId: string; expiresAt: Date } | undefined> {
  return await trx
    .deleteFrom('worker_enrollments')
    .where('enroll_token_hash', '=', enrollTokenHash)
    .where('expires_at', '>', at)
    .returning(['cluster_id as clusterId', 'expires_at as expiresAt'])
    .executeTakeFirst()
}

/** Commands that nobody used: removed an hour after they expired. */
export async function deleteWorkerEnrollmentsBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('worker_enrollments').where('expires_at', '<', before).execute()
}

/**
 * Spends the enrollment token for `tokenHash`, or finds it spent for that very hash; undefined when it is unknown,
 * expired at `at`, or spent for another. One statement: of two that come with one token, the second sees what the
 * first did.
 */
export async function spendEnrollment(
  db: Db,
  { enrollTokenHash, tokenHash, at }: { enrollTokenHash: string; tokenHash: string; at: Date },
): Promise<AgentRef | undefined> {
  return await db
    .updateTable('agents')
    .set((row) => ({
      token_hash: tokenHash,
      enrolled_at: row.fn.coalesce('enrolled_at', row.val(at)),
    }))
    .where('enroll_token_hash', '=', enrollTokenHash)
    .where('refused_at', 'is', null)
    .where((row) =>
      row.or([
        row('token_hash', '=', tokenHash),
        row.and([row('token_hash', 'is', null), row('enroll_expires_at', '>', at)]),
      ]),
    )
    .returning(['cluster_id as clusterId', 'instance_id as instanceId'])
    .executeTakeFirst()
}

/** SHA-256 of the agent's token, hex; undefined for an instance that is unknown, refused or has not enrolled. */
export async function findTokenHash(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('agents')
    .select('token_hash')
    .where('instance_id', '=', instanceId)
    .where('refused_at', 'is', null)
    .executeTakeFirst()
  return row?.token_hash ?? undefined
}

/** Those of `instanceIds` that have an enrolled agent which was not asked to leave. */
export async function listEnrolled(db: Db, instanceIds: readonly string[]): Promise<string[]> {
  if (instanceIds.length === 0) return []
  const rows = await db
    .selectFrom('agents')
    .select('instance_id')
    .where('instance_id', 'in', instanceIds)
    .where('token_hash', 'is not', null)
    .where((from) =>
      from.not(
        from.exists(
          from
            .selectFrom('agent_tasks')
            .select('id')
            .whereRef('agent_tasks.instance_id', '=', 'agents.instance_id')
            .where('kind', '=', taskKinds.leave.kind),
        ),
      ),
    )
    .execute()
  return rows.map((row) => row.instance_id)
}
