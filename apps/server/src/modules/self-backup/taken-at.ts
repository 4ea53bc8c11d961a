import { sql } from 'kysely'
import type { Db } from '../../platform/db/index.ts'
import { findFact } from '../../platform/deployment-facts.ts'

const takenFact = 'self backup taken at'

/** When the newest backup was begun that restic has stored. */
export async function saveTakenAt(db: Db, at: Date): Promise<void> {
  await sql`insert into deployment_facts (name, value) values (${takenFact}, ${at.toISOString()})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

/** Seconds since the newest own backup; undefined: there is none. */
export async function readSelfBackupAge(db: Db, now: Date): Promise<number | undefined> {
  const taken = await findFact(db, takenFact)
  return taken === undefined ? undefined : (now.getTime() - Date.parse(taken)) / 1000
}
