/**
 * Takes in what a CDN says that it moved: all of a file or nothing. The same line twice is nothing new; another
 * figure for the same span is a correction, read as the difference; a span that overlaps another one of its cluster
 * is refused.
 */
import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { type CdnLine, cdnHeader, readCdnLine } from './cdn-line.ts'

export type CdnImport = { added: number; corrected: number; unchanged: number } | { problems: string[] }

const batch = 5000
/** So many are reported at once. */
const mostProblems = 10

export async function importCdn(db: Db, lines: AsyncIterable<string>, now: Date): Promise<CdnImport> {
  return await db.transaction().execute(async (trx) => {
    // One at a time: each sees what the one before has read.
    await sql`select pg_advisory_xact_lock(hashtext('usage:import'))`.execute(trx)
    await sql`create temp table cdn_import (line int, cluster_id text, from_at timestamptz, to_at timestamptz,
      bytes numeric) on commit drop`.execute(trx)
    const problems = await stage(trx, lines, now)
    // Nobody else does it to a table of this transaction's own.
    await sql`analyze cdn_import`.execute(trx)
    if (problems.length === 0) problems.push(...(await findConflicts(trx)))
    return problems.length > 0 ? { problems } : await take(trx, now)
  })
}

async function stage(trx: Trx, lines: AsyncIterable<string>, now: Date): Promise<string[]> {
  const problems: string[] = []
  let waiting: (CdnLine & { line: number })[] = []
  let line = 0
  for await (const text of lines) {
    line += 1
    if (line === 1) {
      if (text.replace(/^\uFEFF/, '').trim() !== cdnHeader) return [`Line 1: must be ${cdnHeader}.`]
      continue
    }
    if (text.trim() === '') continue
    const read = readCdnLine(text, now)
    if ('problem' in read) problems.push(`Line ${line}, ${read.column}: ${read.problem}.`)
    else waiting.push({ ...read, line })
    if (problems.length >= mostProblems) return problems
    if (waiting.length >= batch) {
      await insertStaged(trx, waiting)
      waiting = []
    }
  }
  if (line === 0) return [`Line 1: must be ${cdnHeader}.`]
  await insertStaged(trx, waiting)
  return problems
}

async function insertStaged(trx: Trx, rows: readonly (CdnLine & { line: number })[]): Promise<void> {
  if (rows.length === 0) return
  await sql`insert into cdn_import select * from unnest(${rows.map(({ line }) => line)}::int[],
    ${rows.map(({ clusterId }) => clusterId)}::text[], ${rows.map(({ from }) => from)}::timestamptz[],
    ${rows.map(({ to }) => to)}::timestamptz[], ${rows.map(({ bytes }) => bytes)}::numeric[])`.execute(trx)
}

/**
 * Each check sorts the lines once: beside what was imported before, a comparison of each with each would take days for
 * a file of millions.
 */
async function findConflicts(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ line: number; problem: string }>`
    select line, problem from (
      select s.line, 'cluster_id: "' || s.cluster_id || '" is no cluster here' as problem
      from cdn_import s left join owned_clusters owned on owned.id = s.cluster_id where owned.id is null
      union all
      select line, 'bytes: another line has another figure for this cluster and these times' from (
        select line, bytes <> first_value(bytes) over same as differs from cdn_import
        window same as (partition by cluster_id, from_at, to_at order by line)) as repeated
      where differs
      union all
      select line, 'from: these times overlap those of another line' from (
        select line, from_at < max(to_at) over (partition by cluster_id order by from_at, to_at
          rows between unbounded preceding and 1 preceding) as is_beside
        from (select min(line) as line, cluster_id, from_at, to_at from cdn_import
          group by cluster_id, from_at, to_at) as spans) as beside
      where is_beside
      union all
      select s.line, 'from: these times overlap what was imported before' from (
        select *, max(to_at) filter (where not is_new) over earlier > from_at
          or min(from_at) filter (where not is_new) over later < to_at as is_beside
        from (
          select distinct cluster_id, from_at, to_at, true as is_new from cdn_import
          union all
          select r.cluster_id, r.from_at, r.to_at, false from (select distinct cluster_id from cdn_import) as named
          join owned_clusters owned on owned.id = named.cluster_id
          join meter_readings r on r.owner = owned.owner and r.cluster_id = owned.id
            and r.product_type = 'cdn_traffic' and r.seq = 1
          where not exists (select from cdn_import s
            where s.cluster_id = r.cluster_id and s.from_at = r.from_at and s.to_at = r.to_at)
        ) as spans
        window earlier as (partition by cluster_id order by from_at, to_at rows between unbounded preceding and 1 preceding),
          later as (partition by cluster_id order by from_at desc, to_at desc
            rows between unbounded preceding and 1 preceding)
      ) as imported join cdn_import s using (cluster_id, from_at, to_at) where is_new and is_beside
    ) as found order by line limit ${mostProblems}`.execute(trx)
  return rows.map(({ line, problem }) => `Line ${line}, ${problem}.`)
}

/** The rows stay in the database: a file of a gigabyte is twelve million of them. */
async function take(trx: Trx, now: Date): Promise<CdnImport> {
  const { rows } = await sql<{ spans: number; written: number; added: number }>`
    with spans as (
      select distinct cluster_id, from_at, to_at, bytes,
        'cdn ' || cluster_id || ' ' || extract(epoch from from_at) || ' ' || extract(epoch from to_at) as source_key
      from cdn_import
    ), taken as (
      select source_key, sum(bytes) as bytes, max(seq) as seq from meter_readings
      where source_key in (select source_key from spans) group by source_key
    ), written as (
      insert into meter_readings (owner, cluster_id, series, product_type, from_at, to_at, bytes, source_key, seq, taken_at)
      select owned.owner, cluster_id, cluster_id, 'cdn_traffic', from_at, to_at, spans.bytes - coalesce(taken.bytes, 0),
        source_key, coalesce(taken.seq, 0) + 1, ${now}
      from spans join owned_clusters owned on owned.id = cluster_id left join taken using (source_key)
      where taken.bytes is null or spans.bytes <> taken.bytes
      order by from_at, source_key
      returning seq
    )
    select (select count(*) from spans) as spans, count(*) as written, count(*) filter (where seq = 1) as added
    from written`.execute(trx)
  const { spans = 0, written = 0, added = 0 } = rows[0] ?? {}
  return { added, corrected: written - added, unchanged: spans - written }
}
