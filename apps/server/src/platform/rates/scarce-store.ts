/**
 * Scarce resources are counted in the database, for all processes together: a pot for each kind, and a share of it for
 * each account and each network. Counted as in rate-counter.ts, in one statement that waits for no other transaction.
 */
import type { Scarce } from '@atoll/contract/wire'
import { sql } from 'kysely'
import type { Db } from '../db/index.ts'

interface RateCountsTable {
  key: string
  full_at: Date
}

declare module '../db/index.ts' {
  interface Tables {
    rate_counts: RateCountsTable
  }
}

const hourMs = 3_600_000

interface Pot {
  account?: number
  network?: number
  perMs: number
}

/** How many of each within `perMs`. Networks are generous: a whole office or a mobile network may be one address. */
const pots: Record<Scarce | 'shortNames', Pot> = {
  records: { account: 300, perMs: 60_000 },
  mails: { account: 20, network: 1200, perMs: hourMs },
  names: { account: 60, network: 1200, perMs: hourMs },
  // There are 1 332 IDs of one or two characters under a domain.
  shortNames: { network: 10, perMs: hourMs },
}

export interface ScarceUse {
  pot: Scarce | 'shortNames'
  account?: string | undefined
  /** As `networkOf` names it. */
  network?: string | undefined
}

/** Expired rows that one use deletes: more than it adds. */
const deletedAtOnce = 10

/**
 * Counts one use of `pot` for the account and the network, where both leave room; `factor` multiplies what a pot
 * holds. Gives how long to wait, s; 0: it was counted.
 */
export async function takeScarce(
  db: Db,
  { pot, account, network }: ScarceUse,
  { now, factor }: { now: Date; factor: number },
): Promise<number> {
  const { perMs, ...most } = pots[pot]
  const counted = [
    { key: `${pot} account ${account}`, most: account === undefined ? undefined : most.account },
    { key: `${pot} network ${network}`, most: network === undefined ? undefined : most.network },
  ].flatMap(({ key, most }) => (most === undefined ? [] : [{ key, gapMs: perMs / (most * factor) }]))
  if (counted.length === 0) return 0
  const keys = counted.map(({ key }) => key)
  const gaps = counted.map(({ gapMs }) => gapMs)
  const gap = sql`(excluded.full_at - ${now}::timestamptz)`
  const after = sql`greatest(c.full_at, ${now}::timestamptz) + ${gap}`
  const { rows } = await sql<{ key: string }>`
    with gone as (
      delete from rate_counts where key in (
        select key from rate_counts where full_at < ${now}::timestamptz and key <> all(${keys}::text[])
        order by full_at limit ${deletedAtOnce} for update skip locked))
    insert into rate_counts as c (key, full_at)
    select key, ${now}::timestamptz + gap * interval '1 millisecond'
    from unnest(${keys}::text[], ${gaps}::float8[]) as counted(key, gap) order by key
    on conflict (key) do update set full_at = ${after}
    where ${after} <= ${now}::timestamptz + ${perMs} * interval '1 millisecond'
    returning c.key`.execute(db)
  const refused = counted.filter(({ key }) => !rows.some((row) => row.key === key))
  if (refused.length === 0) return 0
  const waits = await db.selectFrom('rate_counts').select(['key', 'full_at']).where('key', 'in', keys).execute()
  const waitMs = refused.map(({ key, gapMs }) => {
    const full = waits.find((row) => row.key === key)?.full_at.getTime() ?? now.getTime()
    return full + gapMs - perMs - now.getTime()
  })
  return Math.max(1, Math.ceil(Math.max(...waitMs) / 1000))
}
