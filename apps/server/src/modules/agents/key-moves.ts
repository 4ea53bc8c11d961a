import { enrollTokenLifetimeMs } from '@atoll/contract/clusters'
import { sql } from 'kysely'
import { sha256Hex } from '../../platform/crypto.ts'
import type { Db } from '../../platform/db/index.ts'
import { type KeyMove, sealedColumn } from '../../platform/keys/index.ts'
import './agents-tables.ts'

/** Tokens that nobody has used yet; what they are compared with is kept, so the key only makes them once more. */
async function listWaiting(db: Db, now: Date) {
  return await db
    .selectFrom('agents')
    .select(['instance_id', 'enroll_token_hash', 'enroll_expires_at'])
    .where('token_hash', 'is', null)
    .where('enroll_expires_at', '>', now)
    .execute()
}

export const agentKeyMoves = {
  "instance's first password": sealedColumn({
    use: "instance's first password",
    table: 'agents',
    key: 'instance_id',
    column: 'one_time_password',
  }),
  'task parameters': sealedColumn({
    use: 'task parameters',
    table: 'agent_tasks',
    key: 'id',
    column: 'params',
    field: 'sealed',
  }),
  'agent enrolment': {
    async count({ db, clock, sealer }) {
      const isOld = ({
        instance_id: id,
        enroll_token_hash: hash,
      }: {
        instance_id: string
        enroll_token_hash: string
      }) =>
        sealer
          .deriveEach('agent enrolment', id)
          .slice(1)
          .some((token) => sha256Hex(token) === hash)
      return (await listWaiting(db, clock.now())).filter(isOld).length
    },
  },
  'enrol command': {
    async count({ db, clock, sealer }, since) {
      const now = clock.now()
      const last = new Date(since.getTime() + enrollTokenLifetimeMs)
      const own = (await listWaiting(db, now)).filter(
        ({ instance_id: id, enroll_token_hash: hash, enroll_expires_at: until }) =>
          until <= last && sealer.deriveEach('agent enrolment', id).every((token) => sha256Hex(token) !== hash),
      )
      const { rows } = await sql<{ count: number }>`
        select ((select count(*) from worker_enrollments where expires_at > ${now} and expires_at <= ${last})
          + (select count(*) from replacement_enrollments where expires_at > ${now} and expires_at <= ${last}))::int
          as count`.execute(db)
      return own.length + (rows[0]?.count ?? 0)
    },
  },
} satisfies Record<string, KeyMove>

/** How many of these agents were last seen between `from` and `to`. */
export async function countLastSeen(
  db: Db,
  instanceIds: readonly string[],
  { from, to }: { from: Date; to: Date },
): Promise<number> {
  if (instanceIds.length === 0) return 0
  const { count } = await db
    .selectFrom('agents')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('instance_id', 'in', instanceIds)
    .where('last_seen_at', '>', from)
    .where('last_seen_at', '<', to)
    .executeTakeFirstOrThrow()
  return count
}
