import type { Db } from '../../platform/db/index.ts'
import { findFact, setFact } from '../../platform/facts/index.ts'

const takenFact = 'self backup taken at'

/** When the newest backup was begun that restic has stored. */
export async function saveTakenAt(db: Db, at: Date): Promise<void> {
  await setFact(db, takenFact, at.toISOString())
}

/** Seconds since the newest own backup; undefined: there is none. */
export async function readSelfBackupAge(db: Db, now: Date): Promise<number | undefined> {
  const taken = await findFact(db, takenFact)
  return taken === undefined ? undefined : (now.getTime() - Date.parse(taken)) / 1000
}

const provenFact = 'self backup proven at'

/** When a backup was last brought back to a temporary folder and found whole. */
export async function saveProvenAt(db: Db, at: Date): Promise<void> {
  await setFact(db, provenFact, at.toISOString())
}

/** Seconds since then; undefined: none was. */
export async function readSelfProofAge(db: Db, now: Date): Promise<number | undefined> {
  const proven = await findFact(db, provenFact)
  return proven === undefined ? undefined : (now.getTime() - Date.parse(proven)) / 1000
}
