/** Names of accounts that were erased, which nobody gets for a year: kept by a hash that no key is part of. */

import { sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'

interface RestingNamesTable {
  hash: string
  until_at: Date
}

declare module '../../platform/db/index.ts' {
  interface Tables {
    resting_names: RestingNamesTable
  }
}

/** `label`: a host label of a cluster. */
type Resting = { name: string } | { label: string }

const hashOf = (what: Resting) =>
  sha256Hex('name' in what ? `atoll resting name ${what.name}` : `atoll resting label ${what.label}`)

export async function restName(trx: Trx, what: Resting, until: Date): Promise<void> {
  await trx
    .insertInto('resting_names')
    .values({ hash: hashOf(what), until_at: until })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ until_at: until }))
    .execute()
}

/** Until when nobody gets it; undefined: it rests not. A rest that is over is the caller's to judge by its clock. */
export async function findRest(db: Db, what: Resting): Promise<Date | undefined> {
  const query = db.selectFrom('resting_names').select('until_at').where('hash', '=', hashOf(what))
  return (await query.executeTakeFirst())?.until_at
}
