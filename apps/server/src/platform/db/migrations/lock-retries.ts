/**
 * Changing a table takes its lock, and while a change waits for a lock, every later session waits too. So a change
 * waits only a moment, gives up, lets the others pass, and tries again; the session that holds the lock is logged.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Log } from '../../log.ts'
import { OperatorError } from '../../operator-error.ts'

export interface LockPatience {
  /** How long one try waits for a lock, ms. */
  lockMs: number
  /** How long the others have between two tries, ms. */
  pauseMs: number
  /** How long all tries take before it is given up, ms. */
  inAllMs: number
}

/** Tried under a reader of 12 s and 50 queries a second: nobody waited more than 1.5 s, and all were answered. */
export const defaultPatience: LockPatience = { lockMs: 1500, pauseMs: 3000, inAllMs: 600_000 }

interface Blocker {
  pid: number
  user: string | null
  program: string
  state: string | null
  /** Since its transaction began. */
  seconds: number
  query: string
}

/**
 * Runs `change` on `client` until it had its locks; `change` may be run several times and leaves nothing when it fails.
 * Throws an `OperatorError` that names the blocking sessions once `patience` is over. `pool`: to find them with.
 */
export async function withLockRetries(
  { pool, client, log, patience }: { pool: Pool; client: PoolClient; log: Log; patience: LockPatience },
  name: string,
  change: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]?.pid ?? 0
  const giveUpAt = performance.now() + patience.inAllMs
  for (let tries = 1; ; tries += 1) {
    await client.query(`set lock_timeout = ${Math.round(patience.lockMs)}`)
    const watch = watchBlockers(pool, pid, patience.lockMs / 3)
    try {
      await change()
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      const blockers = watch.seen()
      log.warn({ migration: name, tries, blockers }, 'a migration waits for a lock that another session holds')
      if (performance.now() > giveUpAt) {
        throw new OperatorError(
          `The migration ${name} does not get its lock: ${describeBlockers(blockers)}. End that, and migrate again.`,
          { cause: error },
        )
      }
    } finally {
      watch.stop()
      // A connection that is gone has no setting to reset, and why it is gone is being thrown.
      await client.query('reset lock_timeout').catch(() => undefined)
    }
    await delay(patience.pauseMs)
  }
}

function isLockTimeout(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && one.code === '55P03') return true // lock_not_available
  }
  return false
}

function describeBlockers(blockers: readonly Blocker[]): string {
  if (blockers.length === 0) return 'another session holds it'
  return blockers
    .map(
      ({ pid, user, program, state, seconds, query }) =>
        `PostgreSQL's process ${pid} (${user}, ${program || 'no name'}, ${state}, for ${seconds} s) holds it: ${query}`,
    )
    .join('; ')
}

/** Looks while the change waits: afterwards nobody blocks it any more. Keeps whom it saw last. */
function watchBlockers(pool: Pool, pid: number, everyMs: number) {
  let seen: Blocker[] = []
  const timer = setInterval(() => {
    pool
      .query<Blocker>(
        `select pid, usename as "user", application_name as program, state,
                round(extract(epoch from now() - coalesce(xact_start, query_start)))::int as seconds,
                left(query, 100) as query
         from pg_stat_activity where pid = any (pg_blocking_pids($1))`,
        [pid],
      )
      .then(
        ({ rows }) => {
          if (rows.length > 0) seen = rows
        },
        () => undefined, // without names the change is tried again all the same
      )
  }, everyMs)
  return { seen: () => seen, stop: () => clearInterval(timer) }
}
