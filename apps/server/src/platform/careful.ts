/**
 * A restored deployment is careful until its operator says to go on: what it does not know may be newer than it, so
 * instances without a row are only listed, and no money moves.
 */
import type { Db } from './db/index.ts'
import { findFact, forgetFact, keepFact } from './deployment-facts.ts'

const carefulFact = 'careful since'

/** When this deployment was restored; undefined: it works as usual. */
export async function findCareful(db: Db): Promise<string | undefined> {
  return await findFact(db, carefulFact)
}

export async function beCareful(db: Db, now: Date): Promise<void> {
  await keepFact(db, carefulFact, now.toISOString())
}

/** False when it was not careful. */
export async function endCareful(db: Db): Promise<boolean> {
  return await forgetFact(db, carefulFact)
}
