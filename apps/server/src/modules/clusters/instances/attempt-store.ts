import { hostname } from 'node:os'
import type { Reason } from '@atoll/contract/api'
import type { Generated, Selectable } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'

interface InstanceAttemptsTable {
  number: Generated<number>
  instance_id: string
  call: string
  at: Date
  took_ms: number
  /** JSON of a `Reason`. */
  reason: string
  host: string
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    instance_attempts: InstanceAttemptsTable
  }
}

/** So many are kept of an instance. */
const kept = 50

/** Notes a call of the provider that failed, and forgets the oldest. */
export async function noteAttempt(
  db: Db,
  {
    instanceId,
    call,
    at,
    tookMs,
    reason,
  }: { instanceId: string; call: string; at: Date; tookMs: number; reason: Reason },
): Promise<void> {
  const { number } = await db
    .insertInto('instance_attempts')
    .values({ instance_id: instanceId, call, at, took_ms: tookMs, reason: JSON.stringify(reason), host: hostname() })
    .returning('number')
    .executeTakeFirstOrThrow()
  const newest = db
    .selectFrom('instance_attempts')
    .select('number')
    .where('instance_id', '=', instanceId)
    .orderBy('number', 'desc')
    .limit(kept)
  await db
    .deleteFrom('instance_attempts')
    .where('instance_id', '=', instanceId)
    .where('number', '<', number)
    .where('number', 'not in', newest)
    .execute()
}

/** The newest first. */
export async function listAttempts(
  db: Db,
  instanceIds: readonly string[],
  most: number,
): Promise<Selectable<InstanceAttemptsTable>[]> {
  if (instanceIds.length === 0) return []
  return await db
    .selectFrom('instance_attempts')
    .selectAll()
    .where('instance_id', 'in', instanceIds)
    .orderBy('number', 'desc')
    .limit(most)
    .execute()
}
