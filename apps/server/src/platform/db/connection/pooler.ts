/**
 * Whether the server behind a connection stays the same between two transactions. LISTEN, advisory locks and temporary
 * tables need that; a pooler in transaction mode, such as pgbouncer's, takes the server away in between.
 */
import type { Pool } from 'pg'

interface Session {
  query(text: string): Promise<{ rows: { pid?: number }[] }>
}

/** The problem in words; undefined: each connection is a session of its own. `pool` needs two connections. */
export async function findPooler(pool: Pool): Promise<string | undefined> {
  const [first, second] = await Promise.all([pool.connect(), pool.connect()])
  try {
    return await compareSessions(first, second)
  } finally {
    first.release()
    second.release()
  }
}

/**
 * A pooler gives the server that became free last to the next client: while `second` holds that one in a transaction,
 * `first` gets another.
 */
export async function compareSessions(first: Session, second: Session): Promise<string | undefined> {
  const pidOf = async (session: Session) => (await session.query('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await pidOf(first)
  await second.query('begin')
  try {
    await pidOf(second)
    const after = await pidOf(first)
    if (before === after) return undefined
    return 'A connection to the database is another session in each transaction: a pooler in transaction mode stands before it.'
  } finally {
    await second.query('rollback')
  }
}
