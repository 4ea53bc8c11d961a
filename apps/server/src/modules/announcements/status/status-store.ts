import {
  Announcement,
  InBoth,
  type StatusComponent,
  type StatusState,
  statusComponents,
  statusStates,
} from '@atoll/contract/announcements'
import { type Generated, sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../../../platform/db/index.ts'

interface StatusDaysTable {
  component: StatusComponent
  /** Of clusters alone; else empty. */
  region: string
  day: Date
  works: number
  limited: number
  down: number
}

interface StatusPageTable {
  is_only: Generated<boolean>
  made_at: Date
  report: unknown
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    status_days: StatusDaysTable
    status_page: StatusPageTable
  }
}

/** A part of the service as it was seen: now, and how often on each day that somebody looked. */
const Part = z.object({
  component: z.enum(statusComponents),
  /** Null: not of one region. */
  region: InBoth.nullable(),
  state: z.enum(statusStates),
  days: z.array(
    z.object({
      /** As `2026-11-28`. */
      day: z.string(),
      works: z.int(),
      limited: z.int(),
      down: z.int(),
    }),
  ),
})
export type StatusPart = z.output<typeof Part>

/** All that the status page says. */
export const StatusReport = z.object({
  at: z.iso.datetime(),
  parts: z.array(Part),
  /** The newest first. */
  announcements: z.array(Announcement),
})
export type StatusReport = z.output<typeof StatusReport>

export interface Seen {
  component: StatusComponent
  region: string
  state: StatusState
}

/** Counts what was seen on the day of `at`, UTC. */
export async function countSeen(trx: Trx, seen: readonly Seen[], at: Date): Promise<void> {
  const count = (state: StatusState, each: Seen) => (each.state === state ? 1 : 0)
  await trx
    .insertInto('status_days')
    .values(
      seen.map((each) => ({
        component: each.component,
        region: each.region,
        day: sql<Date>`${at.toISOString().slice(0, 10)}::date`,
        works: count('works', each),
        limited: count('limited', each),
        down: count('down', each),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['component', 'region', 'day']).doUpdateSet({
        works: sql<number>`status_days.works + excluded.works`,
        limited: sql<number>`status_days.limited + excluded.limited`,
        down: sql<number>`status_days.down + excluded.down`,
      }),
    )
    .execute()
}

/** Days after `since`, the oldest first. */
export async function listDays(db: Db, since: Date) {
  return await db
    .selectFrom('status_days')
    .select(['component', 'region', 'works', 'limited', 'down', sql<string>`to_char(day, 'YYYY-MM-DD')`.as('day')])
    .where('day', '>', sql<Date>`${since.toISOString().slice(0, 10)}::date`)
    .orderBy('day')
    .execute()
}

export async function forgetDays(trx: Trx, before: Date): Promise<void> {
  await trx
    .deleteFrom('status_days')
    .where('day', '<=', sql<Date>`${before.toISOString().slice(0, 10)}::date`)
    .execute()
}

export async function putReport(trx: Trx, report: StatusReport): Promise<void> {
  const row = { made_at: new Date(report.at), report: sql`${JSON.stringify(report)}::jsonb` }
  await trx
    .insertInto('status_page')
    .values(row)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(row))
    .execute()
}

/** The newest; undefined: none was made yet. */
export async function findReport(db: Db): Promise<StatusReport | undefined> {
  const row = await db.selectFrom('status_page').select('report').executeTakeFirst()
  return row && StatusReport.parse(row.report)
}
