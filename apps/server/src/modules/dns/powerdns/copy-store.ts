/** Which version of each zone each PowerDNS has, as rows. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import type { CopyProblem } from './decide-copy.ts'

interface ZoneCopiesTable {
  server: string
  domain: string
  version: number | null
  checked_at: Date | null
  failures: number
  next_try_at: Date | null
  problem: CopyProblem | null
}
interface ZonePublicationsTable {
  server: string
  serial: number
}
export type CopyRow = Selectable<ZoneCopiesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    zone_copies: ZoneCopiesTable
    zone_publications: ZonePublicationsTable
  }
}

export async function listCopies(db: Db, domain: string): Promise<CopyRow[]> {
  return await db.selectFrom('zone_copies').selectAll().where('domain', '=', domain).execute()
}

/** Says that the zone may be at these servers, before anything is written there: nobody forgets to remove it. */
export async function noteCopies(db: Db, server: string, domains: readonly string[]): Promise<void> {
  await sql`insert into zone_copies (server, domain, failures)
    select ${server}, domain, 0 from unnest(${domains}::text[]) as given (domain) on conflict do nothing`.execute(db)
}

/** Says that a server may have this serial, before it is given it. */
export async function notePublished(db: Db, server: string, serial: number): Promise<void> {
  await sql`insert into zone_publications as p (server, serial) values (${server}, ${serial})
    on conflict (server) do update set serial = excluded.serial where p.serial < excluded.serial`.execute(db)
}

/**
 * The newest serial that a server may have from this deployment; where none is recorded, the newest given to any zone.
 */
export async function findPublished(db: Db, server: string): Promise<number> {
  const { rows } = await sql<{ serial: number }>`
    select coalesce((select serial from zone_publications where server = ${server}), last_value) as serial
    from zone_versions`.execute(db)
  return rows[0]?.serial ?? 0
}

/** Makes all later serials newer than `serial`, for servers that transfer zones. */
export async function skipSerials(db: Db, serial: number): Promise<void> {
  await sql`select setval('zone_versions', greatest(last_value, ${serial})) from zone_versions`.execute(db)
}

/** Stores the outcome of a step; creates a missing row. */
export async function writeCopy(
  db: Db,
  key: { server: string; domain: string },
  changes: Partial<Omit<CopyRow, 'server' | 'domain'>>,
): Promise<void> {
  await db
    .insertInto('zone_copies')
    .values({ version: null, checked_at: null, failures: 0, next_try_at: null, problem: null, ...key, ...changes })
    .onConflict((conflict) => conflict.columns(['server', 'domain']).doUpdateSet(changes))
    .execute()
}

export async function deleteCopy(db: Db, { server, domain }: { server: string; domain: string }): Promise<void> {
  await db.deleteFrom('zone_copies').where('server', '=', server).where('domain', '=', domain).execute()
}

/** Forgets servers that are not used any more; what they hold is the operator's matter. */
export async function deleteCopiesElsewhere(db: Db, servers: readonly string[]): Promise<void> {
  await db.deleteFrom('zone_copies').where('server', 'not in', servers).execute()
}

/**
 * Domains of which a server has another version than it should, or that have a zone somewhere and none here, where
 * nothing is to be waited for; and the `most` of the rest that were compared longest ago, before `before`.
 */
export async function listDueCopies(
  db: Db,
  servers: readonly string[],
  { now, before, most }: { now: Date; before: Date; most: number },
): Promise<string[]> {
  const { rows } = await sql<{ domain: string }>`
    select z.domain from zones z cross join unnest(${servers}::text[]) as s (server)
      left join zone_copies c on c.domain = z.domain and c.server = s.server
      where c.version is distinct from z.version and (c.next_try_at is null or c.next_try_at <= ${now})
    union
    select c.domain from zone_copies c where not exists (select from zones z where z.domain = c.domain)
      and (c.next_try_at is null or c.next_try_at <= ${now})
    union
    (select c.domain from zone_copies c where c.checked_at < ${before} and (c.next_try_at is null or c.next_try_at <= ${now})
      order by c.checked_at limit ${most})`.execute(db)
  return rows.map(({ domain }) => domain)
}

/** How many zones each server has as they should be, and how many not. */
export async function countCopies(
  db: Db,
  servers: readonly string[],
): Promise<{ server: string; current: number; behind: number }[]> {
  const { rows } = await sql<{ server: string; current: number; behind: number }>`
    select s.server, count(*) filter (where c.version = z.version and c.problem is null)::int as current,
      count(*) filter (where (c.version = z.version and c.problem is null) is not true)::int as behind
    from unnest(${servers}::text[]) as s (server)
      left join (select domain, version from zones union select domain, null from zone_copies
        where domain not in (select domain from zones)) z on true
      left join zone_copies c on c.domain = z.domain and c.server = s.server
    where z.domain is not null and (z.version is not null or c.domain is not null)
    group by s.server`.execute(db)
  const none = { current: 0, behind: 0 }
  return servers.map((server) => rows.find((row) => row.server === server) ?? { server, ...none })
}
