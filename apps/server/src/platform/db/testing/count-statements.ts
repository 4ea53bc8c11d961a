import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Database, Tables } from '../index.ts'

export interface CountedDatabase extends Database {
  /** The statements that `work` sends through `db`, in order; `begin` and `commit` are among them. */
  statementsOf(work: () => Promise<unknown>): Promise<string[]>
}

/** `database`, whose Kysely keeps what it sends; works that run side by side are counted together. */
export function countStatements(database: Database): CountedDatabase {
  let sent: string[] = []
  const counted = {
    async connect() {
      const client = await database.pool.connect()
      const query = async (text: unknown, values?: unknown) => {
        sent.push(String(text))
        return await (client.query as (text: unknown, values?: unknown) => Promise<unknown>)(text, values)
      }
      // Kysely uses only these two methods of a client, with texts.
      return { query, release: () => client.release() } as unknown as PostgresPoolClient
    },
    end: () => database.pool.end(),
  } as PostgresPool
  return {
    ...database,
    pool: database.pool,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: counted }) }),
    async statementsOf(work) {
      sent = []
      await work()
      return sent
    },
  }
}
