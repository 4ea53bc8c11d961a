/**
 * The basis of readiness: a row that this process commits each 10 s, which a read-only database, a full disk or a lost
 * connection prevent, and on workers a job that the queue ran lately. The row alone would not reveal a full disk: it
 * replaces the one before it, in a file and a log that are already allocated, while everything that grows fails. So
 * PostgreSQL also has to write a megabyte that is discarded at once.
 *
 * A row that comes back with a smaller number is an earlier one: the database was restored to an earlier state under
 * this process, which makes the deployment careful.
 */
import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { z } from 'zod'
import { beCareful, findHold } from '../careful/index.ts'
import type { Clock } from '../clock.ts'
import { randomToken } from '../crypto.ts'
import type { Db, Trx } from '../db/index.ts'
import { currentBuild } from '../install.ts'
import { defineJob, enqueueJob, type Job } from '../jobs/index.ts'
import type { Log } from '../log.ts'
import { startTicker } from '../ticker.ts'

const everyMs = 10_000
/** A process whose last write is older is not ready, ms. */
const silentMs = 30_000
/** Rows that do not fit into the memory which the query is given and come to a megabyte in a temporary file. */
const spilledRows = 70_000
/** So is a worker where no job ran for so long, s. */
const queueSilentS = 60
const queueJob = 'queue.heartbeat'

interface HeartbeatsTable {
  process: string
  number: number
  at: Date
  version: string | null
  host: string | null
  /** Separated by commas. */
  roles: string | null
  /** Ids of its secret keys, the one for new values first, separated by commas; null: an older version. */
  keys: string | null
  /** How far the clock of the process was ahead of the database's when it wrote. */
  ahead_ms: number | null
  started_at: Date | null
  /** Of the disk with what it keeps, bytes; what only root may use counts as used. */
  disk_total: number | null
  disk_free: number | null
}
interface QueueHeartbeatTable {
  is_only: boolean
  at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    heartbeats: HeartbeatsTable
    queue_heartbeat: QueueHeartbeatTable
  }
}

export interface Heartbeat {
  /** The reason why this process cannot write; undefined: it wrote lately. */
  check(): Promise<string | undefined>
  /** Writes once. */
  beat(): Promise<void>
  stop(): Promise<void>
}

interface HeartbeatDeps {
  db: Db
  clock: Clock
  log: Log
  /** Of this process. */
  roles: readonly string[]
  /** Ids of its secret keys, the one for new values first. */
  keyIds: readonly string[]
  /** Has the queue run a job, too. */
  withQueue: boolean
  /** The folder of this process's own files. */
  folder: string
}

/** Writes at once and then each 10 s. */
export async function startHeartbeat(deps: HeartbeatDeps): Promise<Heartbeat> {
  const { db, clock, log, roles, keyIds, withQueue, folder } = deps
  const process = randomToken(15)
  const self = {
    version: currentBuild().version,
    host: hostname(),
    roles: roles.join(','),
    keys: keyIds.join(','),
    started_at: clock.now(),
  }
  let last = 0
  let writtenAt = Number.NEGATIVE_INFINITY
  let problem: string | undefined = 'nothing was written yet'

  async function write(trx: Trx, disk: Disk): Promise<number> {
    await sql`set local work_mem = '64kB'`.execute(trx)
    await sql`select count(*) from generate_series(1, ${spilledRows}::int)`.execute(trx)
    const at = clock.now()
    const aheadMs = sql<number>`extract(epoch from ${at}::timestamptz - clock_timestamp()) * 1000`
    const now = { at, ahead_ms: aheadMs, ...disk }
    const { number } = await trx
      .insertInto('heartbeats')
      .values({ process, number: 1, ...self, ...now })
      .onConflict((conflict) =>
        conflict.column('process').doUpdateSet({ number: sql<number>`heartbeats.number + 1`, ...now }),
      )
      .returning('number')
      .executeTakeFirstOrThrow()
    return number
  }

  async function beat(): Promise<void> {
    try {
      const disk = await diskOf(folder)
      const number = await db.transaction().execute((trx) => write(trx, disk))
      if (number <= last) await beCareful(db, 'the database was brought back to an earlier state', clock.now())
      last = number
      writtenAt = performance.now()
      problem = undefined
      if (withQueue) await enqueueJob(db, queueJob, {}, { key: queueJob })
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
      throw error
    }
  }

  const ticker = startTicker(everyMs, log, 'writing the heartbeat', beat)
  // That it cannot be written at the start is said by the check; the server comes up and goes on trying.
  await beat().catch((error: unknown) => log.error({ err: error }, 'the first heartbeat could not be written'))
  return {
    beat,
    async check() {
      if (problem !== undefined) return `nothing can be written: ${problem}`
      return performance.now() - writtenAt <= silentMs ? undefined : 'the database has not answered a write for a while'
    },
    async stop() {
      await ticker.stop()
      // A killed process leaves its row, which is silent from then on; one that stops in order is not missed.
      await db
        .deleteFrom('heartbeats')
        .where('process', '=', process)
        .execute()
        .catch((error: unknown) => log.warn({ err: error }, 'the heartbeat of this process stays'))
    },
  }
}

type Disk = Pick<HeartbeatsTable, 'disk_total' | 'disk_free'>

async function diskOf(folder: string): Promise<Disk> {
  try {
    const { bsize, blocks, bfree, bavail } = await statfs(folder)
    return { disk_total: bsize * (blocks - (bfree - bavail)), disk_free: bsize * bavail }
  } catch {
    return { disk_total: null, disk_free: null } // not there yet, or no folder of a disk
  }
}

/** The processes that write or wrote within a day, but those in whose place another writes. */
export async function listHeartbeats(db: Db) {
  const rows = await db
    .selectFrom('heartbeats')
    .select(['process', 'version', 'host', 'roles', 'at', 'started_at', 'disk_total', 'disk_free'])
    .select(sql<boolean>`at <= now() - make_interval(secs => ${silentMs / 1000})`.as('isSilent'))
    .where('at', '>', sql<Date>`now() - interval '1 day'`)
    .orderBy('at', 'desc')
    .execute()
  const placeOf = ({ host, roles }: (typeof rows)[number]) => `${host} ${roles}`
  return rows.filter((row, at) => !row.isSilent || rows.findIndex((other) => placeOf(other) === placeOf(row)) === at)
}

/** The processes that wrote lately. */
export async function listProcesses(db: Db) {
  return await db
    .selectFrom('heartbeats')
    .select(['version', 'host', 'roles', 'keys', 'ahead_ms as aheadMs', 'at'])
    .where('at', '>', sql<Date>`now() - make_interval(secs => ${silentMs / 1000})`)
    .orderBy('at')
    .execute()
}

/** Whether the queue runs jobs, whichever worker does; undefined: it does. */
export async function checkQueue(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('queue_heartbeat')
    .select(sql<number>`extract(epoch from now() - at)::float8`.as('age'))
    .executeTakeFirst()
  if (!row) return 'no job has run yet'
  return row.age <= queueSilentS ? undefined : `no job has run for ${Math.round(row.age)} s`
}

/** The job that shows that the queue runs. It also forgets processes that are long gone. */
export function queueHeartbeat({ db }: { db: Db }): Job {
  return defineJob({
    name: queueJob,
    lane: 'own',
    waits: 'never',
    payload: z.unknown(),
    maxAttempts: 1,
    async run() {
      await sql`insert into queue_heartbeat (at) values (now()) on conflict (is_only) do update set at = now()`.execute(
        db,
      )
      if (await findHold(db, { waits: 'deadline' })) return
      await sql`delete from heartbeats where at < now() - interval '7 days'`.execute(db)
    },
  })
}
