import { sql } from 'kysely'
import type { Trx } from '../../../platform/db/index.ts'
import '../tables.ts'

/** First half of the advisory lock on labels; the second is the label's hash. 7001 is the platform's. */
const labelLockClass = 7002
/** What DNS allows; an ID's local part is never longer. */
const longestLabel = 63
/** Leaves room for `-` and a number. */
const longestBase = 56

/**
 * The first free host label for an owner with this ID: its local part, then `reef-2`, `reef-3`. Two IDs with the same
 * local part under different domains compete, so the choice is made under a lock on the local part, held until the
 * transaction ends.
 */
export async function chooseHostLabel(trx: Trx, terminusName: string): Promise<string> {
  const label = (terminusName.split('@')[0] ?? '').slice(0, longestLabel)
  const base = label.slice(0, longestBase)
  await sql`select pg_advisory_xact_lock(${labelLockClass}, hashtext(${base}))`.execute(trx)
  const rows = await trx
    .selectFrom('clusters')
    .select('host_label')
    .where((where) => where.or([where('host_label', '=', label), where('host_label', 'like', `${base}-%`)]))
    .where('status', 'not in', ['destroyed', 'canceled'])
    .execute()
  const taken = new Set(rows.map((row) => row.host_label))
  if (!taken.has(label)) return label
  let number = 2
  while (taken.has(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}
