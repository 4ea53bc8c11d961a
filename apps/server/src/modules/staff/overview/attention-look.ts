/**
 * Collects the items that need a person, in each process of the api: every 30 s, and when the page is asked for. One
 * process collects at a time; another one's fresh result is used. Staff are notified when an item appears, changes or
 * disappears. Items of a query that failed stay as they were.
 */
import type { AttentionKind } from '@atoll/contract/staff'
import type { Attention, AttentionSource } from '../../../platform/attention/index.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import type { Log } from '../../../platform/log.ts'
import { startTicker, type Ticker } from '../../../platform/ticker.ts'
import {
  type AttentionRow,
  deleteItem,
  findLookedAt,
  listItems,
  lockLooking,
  putItem,
  saveLookedAt,
} from '../stores/attention-store.ts'

export interface AttentionDeps {
  db: Db
  clock: Clock
  log: Log
  attention: readonly AttentionSource[]
}

const everyMs = 30_000
/** A result this recent is not collected again, ms. */
const freshMs = 2000

type Found = Omit<AttentionRow, 'snoozed_until' | 'since'> & { since: Date | undefined }

export function startAttentionWatch(deps: AttentionDeps): Ticker {
  return startTicker(everyMs, deps.log, 'looking at what needs a person', () => lookAgain(deps))
}

/** Looks, unless that was done a moment ago or another process is at it. */
export async function lookAgain(deps: AttentionDeps): Promise<void> {
  const { db, clock } = deps
  const last = await findLookedAt(db)
  const age = last && clock.now().getTime() - last.getTime()
  // A time in the future is from before the clock was set back, and says nothing.
  if (age !== undefined && age >= 0 && age < freshMs) return
  const looked = await Promise.all(deps.attention.map((source) => look(source, deps.log)))
  const [found, unknown] = [looked.flatMap(({ items }) => items), looked.filter(({ failed }) => failed)]
  await db.transaction().execute(async (trx) => {
    if (!(await lockLooking(trx))) return
    const isChanged = await save(trx, found, { unknown: unknown.map(({ kind }) => kind), now: clock.now() })
    await saveLookedAt(trx, clock.now())
    if (isChanged) await tellStaff(trx)
  })
}

/** Has every page that shows something of the area's ask again. */
export async function tellStaff(trx: Trx): Promise<void> {
  await publishChange(trx, { account: 'staff', topic: 'operator', id: 'attention' })
}

async function look({ kind, find }: AttentionSource, log: Log) {
  try {
    return { kind, failed: false, items: (await find()).map((item) => rowOf(kind, item)) }
  } catch (error) {
    log.warn({ err: error, kind }, 'what needs a person could not be looked at')
    return { kind, failed: true, items: [] }
  }
}

function rowOf(kind: AttentionKind, { key = '', severity, since, facts, object }: Attention): Found {
  return { kind, key, severity, since, facts: { ...facts }, object: object ?? null }
}

/** Whether anything is different now. */
async function save(
  trx: Trx,
  found: readonly Found[],
  { unknown, now }: { unknown: readonly AttentionKind[]; now: Date },
): Promise<boolean> {
  const known = await listItems(trx)
  const gone = known.filter((row) => !unknown.includes(row.kind) && !found.some((item) => isSame(item, row)))
  for (const row of gone) await deleteItem(trx, row)
  const changed = found.flatMap((item) => {
    const before = known.find((row) => isSame(item, row))
    const row = { ...item, since: item.since ?? before?.since ?? now }
    return before && stateOf(before) === stateOf(row) ? [] : [row]
  })
  for (const row of changed) await putItem(trx, row)
  return gone.length + changed.length > 0
}

const isSame = (one: Pick<Found, 'kind' | 'key'>, other: Pick<Found, 'kind' | 'key'>) =>
  one.kind === other.kind && one.key === other.key

const stateOf = ({ severity, since, facts, object }: Omit<AttentionRow, 'snoozed_until'>) =>
  JSON.stringify([severity, since, object, Object.entries(facts).toSorted(([one], [other]) => (one < other ? -1 : 1))])
