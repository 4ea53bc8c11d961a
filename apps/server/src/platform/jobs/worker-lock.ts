/**
 * How other processes know that a worker is alive: it holds one advisory lock per worker pool, of which each lane is
 * one, on a connection of its own. PostgreSQL drops the locks the moment the process dies (`kill -9` too), and
 * `startDeadWorkerSweep` then releases what the dead worker held. The queue itself would wait four hours.
 *
 * When only the connection is lost (PostgreSQL restarted), the lock is taken again at once; the sweep asks for several
 * misses in a row, so a living worker's jobs are not released in between.
 */
import type { Client, Pool } from 'pg'
import { type DatabaseConnection, PrimaryClient } from '../db/index.ts'
import { advisoryLockClass } from '../db/migrations/migrate.ts'
import type { Log } from '../log.ts'

const retryMs = 200
const sweepMs = 500
/** A worker without its lock for this long counts as dead, and its jobs are free again, ms. */
export const releasedAfterMs = 2000
/** Sweeps in a row that must miss the lock. */
const missesToRelease = releasedAfterMs / sweepMs

export interface WorkerLock {
  release(): Promise<void>
}

/** Holds the locks of `poolIds`, on one connection, until released; resolves once they are held. */
export async function holdWorkerLock(
  connection: DatabaseConnection,
  poolIds: readonly string[],
  log: Log,
): Promise<WorkerLock> {
  let client: Client | undefined
  let timer: NodeJS.Timeout | undefined
  let released = false

  async function take(): Promise<void> {
    const next = new PrimaryClient({
      ...connection,
      keepAlive: true,
      connectionTimeoutMillis: 5000,
      application_name: 'atoll worker lock',
    })
    next.on('error', (error) => log.warn({ err: error }, 'the connection that holds the worker lock failed'))
    await next.connect()
    try {
      const each = 'select pg_advisory_lock($1, hashtext(id)) from unnest($2::text[]) as pools (id)'
      await next.query(each, [advisoryLockClass, poolIds])
    } catch (error) {
      await next.end()
      throw error
    }
    // Released while it was taken.
    if (released) return await next.end()
    next.on('end', retake)
    client = next
  }

  function retake(): void {
    if (released) return
    timer = setTimeout(() => {
      take().catch((error: unknown) => {
        log.warn({ err: error }, 'the worker lock cannot be taken yet')
        retake()
      })
    }, retryMs)
  }

  await take()
  return {
    async release() {
      released = true
      clearTimeout(timer)
      await client?.end()
    },
  }
}

/**
 * Releases jobs and queues whose worker is gone, every 500 ms until `stop`. Every worker runs one; repeating is
 * harmless.
 */
export function startDeadWorkerSweep(pool: Pool, log: Log): { stop(): Promise<void> } {
  const misses = new Map<string, number>()
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()

  async function sweep(): Promise<void> {
    const { rows } = await pool.query<{ worker: string }>(
      `select worker from (
         select locked_by as worker from graphile_worker._private_jobs where locked_by is not null
         union select locked_by from graphile_worker._private_job_queues where locked_by is not null) held
       where not exists (
         select from pg_locks
         where locktype = 'advisory' and classid = $1 and objsubid = 2 and granted
           and objid::bigint = hashtext(worker)::bigint & 4294967295
           and database = (select oid from pg_database where datname = current_database()))`,
      [advisoryLockClass],
    )
    const unheld = rows.map((row) => row.worker)
    for (const worker of misses.keys()) if (!unheld.includes(worker)) misses.delete(worker)
    for (const worker of unheld) misses.set(worker, (misses.get(worker) ?? 0) + 1)
    const dead = unheld.filter((worker) => (misses.get(worker) ?? 0) >= missesToRelease)
    if (dead.length === 0) return
    await pool.query('select graphile_worker.force_unlock_workers($1::text[])', [dead])
    for (const worker of dead) misses.delete(worker)
    log.warn({ workers: dead }, 'released the jobs of workers that are gone')
  }

  function schedule(): void {
    timer = setTimeout(() => {
      running = sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'the sweep for dead workers failed; it will run again'))
        .finally(() => {
          if (!stopped) schedule()
        })
    }, sweepMs)
  }

  schedule()
  return {
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
