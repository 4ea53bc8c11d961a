/**
 * One run per subject at a time, in all processes: a session-level advisory lock, held on one connection for all
 * subjects of one reconciler in this process. The connection is taken from the pool while anything is locked and given
 * back after, so a stop finds nothing left open. A process that dies loses its locks at once.
 *
 * Should the connection break, its locks are gone while the work goes on; the revision fence and the repeatable
 * provider calls make that harmless. The queue's own named queues are no substitute: a job that waited for one is only
 * found at the queue's next poll, seconds later.
 */
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Runs `work` under the subject's lock. False, without running it, when somebody holds the lock. */
export type TryRun = (id: string, work: () => Promise<void>) => Promise<boolean>

interface Session {
  connection: Db
  close(): void
}

/**
 * `lockClass`: first half of the advisory locks. In use: 7001 the platform's, 7002 host labels', 7003 clusters', 7004
 * payments', 7005 domains', 7006 the proofs of domains', 7007 certificates', 7008 zones' at name servers beside us,
 * 7009 what gateways moved of payments, 7010 what authorities issue for a registered domain.
 */
export function createReconcileLocks(db: Db, lockClass: number): TryRun {
  /** Locked here, or about to be. */
  const busy = new Set<string>()
  let session: Promise<Session> | undefined
  let turn: Promise<unknown> = Promise.resolve()

  /** One query after another: a connection takes no two at once. */
  function inTurn<T>(work: (connection: Db) => Promise<T>): Promise<T> {
    const result = turn.then(async () => {
      session ??= openSession(db)
      try {
        return await work((await session).connection)
      } catch (error) {
        // Most likely the connection broke; the next lock opens another.
        const broken = session
        session = undefined
        broken.then(
          (opened) => opened.close(),
          () => undefined, // it never opened; `error` says why
        )
        throw error
      }
    })
    turn = result.catch(() => undefined) // the caller gets the error; the next one has its own result
    return result
  }

  async function lock(id: string): Promise<boolean> {
    return await inTurn(async (connection) => {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_lock(${lockClass}, hashtext(${id})) as locked`.execute(connection)
      return rows[0]?.locked === true
    })
  }

  async function unlock(id: string): Promise<void> {
    await inTurn(async (connection) => {
      await sql`select pg_advisory_unlock(${lockClass}, hashtext(${id}))`.execute(connection)
    })
  }

  /** In turn as well, so that nobody is just about to lock. */
  async function closeIfIdle(): Promise<void> {
    const closing = turn.then(async () => {
      if (busy.size > 0 || !session) return
      const idle = session
      session = undefined
      ;(await idle).close()
    })
    turn = closing.catch(() => undefined) // thrown below
    await closing
  }

  return async (id, work) => {
    // The connection's session would get the same lock again.
    if (busy.has(id)) return false
    busy.add(id)
    try {
      if (!(await lock(id))) return false
      try {
        await work()
      } finally {
        await unlock(id)
      }
      return true
    } finally {
      busy.delete(id)
      await closeIfIdle()
    }
  }
}

/** Takes a connection out of the pool until `close`. */
async function openSession(db: Db): Promise<Session> {
  const opened = Promise.withResolvers<Db>()
  const closed = Promise.withResolvers<void>()
  db.connection()
    .execute(async (connection) => {
      opened.resolve(connection)
      await closed.promise
    })
    .catch(opened.reject)
  return { connection: await opened.promise, close: closed.resolve }
}
