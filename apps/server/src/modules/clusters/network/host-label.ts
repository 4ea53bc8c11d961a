import { sql } from 'kysely'
import { findHold } from '../../../platform/careful/index.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { findRest } from '../../identity/index.ts'
import '../tables.ts'

/** First half of the advisory lock on labels; the second is the label's hash. 7001 is the platform's. */
const labelLockClass = 7002
/** The maximum that DNS allows; an ID's local part is never longer. */
const longestLabel = 63
/** Leaves room for `-` and a number. */
const longestBase = 56

function baseOf(terminusName: string): string {
  return (terminusName.split('@')[0] ?? '').slice(0, longestBase)
}

/** Until the transaction ends, nobody else takes a host label that is made from this ID's local part. */
async function lockHostLabels(trx: Trx, terminusName: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${labelLockClass}, hashtext(${baseOf(terminusName)}))`.execute(trx)
}

/** Whether another cluster has the host label; under the lock of the labels of this ID. */
export async function isHostLabelTaken(
  trx: Trx,
  terminusName: string,
  { id, host_label }: { id: string; host_label: string },
): Promise<boolean> {
  await lockHostLabels(trx, terminusName)
  const other = await trx
    .selectFrom('clusters')
    .select('id')
    .where('host_label', '=', host_label)
    .where('id', '<>', id)
    .where('status', 'not in', ['destroyed', 'canceled'])
    .where('given_up_at', 'is', null)
    .executeTakeFirst()
  return other !== undefined
}

/** For how long the label of a cluster that is gone is kept for its owner, ms: links to it stay about. */
export const labelKeptMs = 365 * 24 * 60 * 60_000

/** The host labels that are kept for an account after `now`, and until when each. */
export async function listOwnLabels(
  trx: Trx,
  { owner, now }: { owner: string; now: Date },
): Promise<{ label: string; until: Date }[]> {
  const rows = await trx
    .selectFrom('clusters')
    .select((from) => ['host_label', from.fn.max('changed_at').as('at')])
    .where('owner', '=', owner)
    .where('status', '<>', 'canceled')
    .where('purpose', '=', 'user')
    .groupBy('host_label')
    .execute()
  const kept = rows.map(({ host_label: label, at }) => ({ label, until: new Date(at.getTime() + labelKeptMs) }))
  return kept.filter(({ until }) => until > now)
}

/**
 * The host label for a new cluster of `owner`, who has the ID `terminusName`: the newest one of theirs whose cluster is
 * gone, else the first free one, its local part, then `reef-2`, `reef-3`. The label of a cluster that is gone
 * (destroyed, or given up with its machine) is kept a year for its owner alone. Two IDs with the same local part under
 * different domains compete, so the choice is made under a lock on the local part, held until the transaction ends.
 */
export async function chooseHostLabel(
  trx: Trx,
  { owner, terminusName, now }: { owner: string; terminusName: string; now: Date },
): Promise<string> {
  const label = (terminusName.split('@')[0] ?? '').slice(0, longestLabel)
  const base = baseOf(terminusName)
  await lockHostLabels(trx, terminusName)
  // While the clock is in doubt no year is over, and none has gone to somebody else for good.
  const keptSince = (await findHold(trx, { waits: 'deadline' })) ? new Date(0) : new Date(now.getTime() - labelKeptMs)
  const rows = await trx
    .selectFrom('clusters')
    .select(['host_label', 'owner', 'status', 'given_up_at'])
    .where((where) => where.or([where('host_label', '=', label), where('host_label', 'like', `${base}-%`)]))
    // An order that was canceled never had an address.
    .where('status', '<>', 'canceled')
    .where((where) => where.or([where('status', '<>', 'destroyed'), where('changed_at', '>', keptSince)]))
    .orderBy('changed_at', 'desc')
    .execute()
  const isGone = (row: (typeof rows)[number]) => row.status === 'destroyed' || row.given_up_at !== null
  const taken = new Set(rows.filter((row) => !isGone(row) || row.owner !== owner).map((row) => row.host_label))
  const own = rows.find((row) => row.owner === owner && isGone(row) && !taken.has(row.host_label))
  if (own) return own.host_label
  /** Of somebody's cluster, or of one whose owner was erased within the year. */
  const isTaken = async (one: string) => {
    const rest = await findRest(trx, { label: one })
    return taken.has(one) || (rest !== undefined && rest.getTime() - labelKeptMs > keptSince.getTime())
  }
  if (!(await isTaken(label))) return label
  let number = 2
  while (await isTaken(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}
