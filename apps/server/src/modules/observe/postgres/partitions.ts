/**
 * Partitions of the tiers: created ahead by a job, or on demand by a writer that finds one missing, and dropped whole.
 * Bounds are UTC and counted from 1970, so summer time does not affect them.
 */
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { advisoryLockClass } from '../../../platform/db/migrations/migrate.ts'

/** Second half of the advisory lock that partitions are made and dropped under; names are bound under 1. */
const partitionsLock = 2

export interface Tier {
  table: 'minute_samples' | 'five_minute_samples'
  /** Width of a partition, ms. */
  widthMs: number
  /** Rows older than this are dropped, ms. */
  keptMs: number
  /** Partitions are there so long ahead, ms. */
  aheadMs: number
}

export const hourMs = 3600_000
const dayMs = 24 * hourMs
export const minuteTier: Tier = { table: 'minute_samples', widthMs: hourMs, keptMs: 26 * hourMs, aheadMs: 3 * hourMs }
export const fiveMinuteTier: Tier = {
  table: 'five_minute_samples',
  widthMs: dayMs,
  keptMs: 8 * dayMs,
  aheadMs: 2 * dayMs,
}

/** Where the partition that holds `at` begins; both ms. */
export const startOf = ({ widthMs }: Tier, at: number) => Math.floor(at / widthMs) * widthMs

/** `minute_samples_2026112217` for the hour that begins then. */
function partitionName({ table }: Tier, start: number): string {
  return `${table}_${new Date(start).toISOString().slice(0, 13).replace(/\D/g, '')}`
}

function startOfName({ table }: Tier, name: string): number | undefined {
  const [, year, month, day, hour] = new RegExp(`^${table}_(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)$`).exec(name) ?? []
  return year === undefined ? undefined : Date.parse(`${year}-${month}-${day}T${hour}:00:00Z`)
}

async function underLock(db: Db, work: (db: Db) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${advisoryLockClass}, ${partitionsLock})`.execute(trx)
    // Readers would queue behind a lock that waits long; the next run finds a better moment.
    await sql`set local lock_timeout = '5s'`.execute(trx)
    await work(trx)
  })
}

/** Makes the partitions that hold `times` (ms) where they are missing. */
export async function makePartitions(db: Db, tier: Tier, times: readonly number[]): Promise<void> {
  const starts = [...new Set(times.map((at) => startOf(tier, at)))].sort((a, b) => a - b)
  const existing = new Set(await listPartitions(db, tier))
  const missing = starts.filter((start) => !existing.has(start))
  if (missing.length === 0) return
  await underLock(db, async (trx) => {
    for (const start of missing) {
      const [from, to] = [start, start + tier.widthMs].map((at) => sql.lit(new Date(at).toISOString()))
      await sql`create table if not exists ${sql.id(partitionName(tier, start))} partition of ${sql.id(tier.table)}
        for values from (${from}) to (${to})`.execute(trx)
    }
  })
}

/** Makes those of now and of the time ahead. */
export async function makePartitionsAhead(db: Db, tier: Tier, now: number): Promise<void> {
  const times: number[] = []
  for (let at = now; at <= now + tier.aheadMs; at += tier.widthMs) times.push(at)
  await makePartitions(db, tier, times)
}

/** Starts of the partitions that there are, ms, by time. */
export async function listPartitions(db: Db, tier: Tier): Promise<number[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits as i join pg_class as c on c.oid = i.inhrelid
    where i.inhparent = ${tier.table}::regclass`.execute(db)
  return rows.flatMap(({ name }) => startOfName(tier, name) ?? []).sort((a, b) => a - b)
}

/**
 * Drops the partitions that hold a row older than the tier keeps, but those that begin at `keep` (ms); the number
 * dropped.
 */
export async function dropPartitions(db: Db, tier: Tier, now: number, keep: readonly number[] = []): Promise<number> {
  const kept = new Set(keep)
  const old = (await listPartitions(db, tier)).filter((start) => start < now - tier.keptMs && !kept.has(start))
  for (const start of old) {
    await underLock(db, async (trx) => {
      await sql`drop table if exists ${sql.id(partitionName(tier, start))}`.execute(trx)
    })
  }
  return old.length
}
