import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { createPool, type Db, type Tables } from '../index.ts'

export interface MortalDatabase {
  db: Db
  /** Whether it has died. */
  isDead(): boolean
  close(): Promise<void>
}

/**
 * The database as a process sees it that dies before its statement number `diesAt`, counted from 1, `begin` and
 * `commit` among them: its connections end, and whatever it asks after that fails.
 */
function openMortalDatabase(url: string, diesAt: number): MortalDatabase {
  const pool = createPool({ connectionString: url })
  let asked = 0
  const isDead = () => asked >= diesAt
  const mortal = {
    async connect() {
      const client = await pool.connect()
      const query = async (text: unknown, values?: unknown) => {
        if (!isDead()) asked += 1
        if (isDead()) throw new Error('this process is dead')
        return await (client.query as (text: unknown, values?: unknown) => Promise<unknown>)(text, values)
      }
      // Kysely uses only these two methods of a client, with texts. An open transaction is rolled back with its
      // connection.
      return { query, release: () => client.release(isDead()) } as unknown as PostgresPoolClient
    },
    end: () => pool.end(),
  } as PostgresPool
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: mortal }) })
  return {
    db,
    isDead,
    async close() {
      await db.destroy()
      if (!pool.ending) await pool.end()
    },
  }
}

/** Has `work` die before each of its statements in turn, and then end; gives how often it died. */
export async function dieAtEach(url: string, work: (mortal: MortalDatabase) => Promise<void>): Promise<number> {
  for (let diesAt = 1; ; diesAt += 1) {
    const mortal = openMortalDatabase(url, diesAt)
    try {
      await work(mortal)
    } finally {
      await mortal.close()
    }
    if (!mortal.isDead()) return diesAt - 1
  }
}
