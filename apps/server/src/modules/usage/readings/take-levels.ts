import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { carriedMs } from './held-levels.ts'
import { insertLevels, keepMark, type Level } from './reading-tables.ts'
import { hourMs } from './take-traffic.ts'

/** An instance of a cloud whose disk is read. */
export interface MeteredInstance {
  instanceId: string
  clusterId: string
  owner: string
  /** It is stopped, and holds what it held. */
  stopped: boolean
  /** Bytes; it cannot hold more. */
  diskTotal: number
}

export interface LevelDeps {
  listMeteredInstances(db: Db): Promise<MeteredInstance[]>
  /** When these instances ended, those that did. */
  listEnds(db: Db, instanceIds: readonly string[]): Promise<{ instanceId: string; at: Date }[]>
  /** Bytes on the disks of instances, by their newest samples. */
  latestDisk(instanceIds: readonly string[]): Promise<ReadonlyMap<string, { at: Date; diskUsed: number }>>
}

/**
 * Reads what the disks of cloud instances hold, once an hour: by a sample of the last hour, or as before while stopped.
 * One that does not say is not read, and one that has ended holds nothing from then on. Safe to repeat.
 */
export async function takeLevels(deps: LevelDeps, db: Db, now: Date): Promise<void> {
  const instances = await deps.listMeteredInstances(db)
  const samples = await deps.latestDisk(instances.map(({ instanceId }) => instanceId))
  await db.transaction().execute((trx) => takeFrom(deps, trx, { instances, samples, now }))
}

async function takeFrom(
  { listEnds }: LevelDeps,
  trx: Trx,
  {
    instances,
    samples,
    now,
  }: { instances: MeteredInstance[]; samples: Awaited<ReturnType<LevelDeps['latestDisk']>>; now: Date },
): Promise<void> {
  const resting = instances.filter(({ stopped }) => stopped)
  const before = new Map([...(await listLast(trx, resting, now)), ...(await listHeld(trx, now))])
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs).toISOString()
  const levels = instances.flatMap(({ instanceId: series, clusterId, owner, stopped, diskTotal }): Level[] => {
    const sample = samples.get(series)
    const isFresh = sample !== undefined && now.getTime() - sample.at.getTime() <= hourMs
    const bytes = isFresh ? Math.min(sample.diskUsed, diskTotal) : stopped ? before.get(series)?.bytes : undefined
    return bytes === undefined ? [] : [{ owner, clusterId, series, at: now, bytes, key: `storage ${series} ${hour}` }]
  })
  const living = new Set(instances.map(({ instanceId }) => instanceId))
  const gone = [...before.keys()].filter((series) => !living.has(series))
  for (const { instanceId: series, at } of await listEnds(trx, gone)) {
    const held = before.get(series)
    if (!held || held.bytes === 0) continue
    const end = at > held.at ? at : held.at
    levels.push({ ...held, series, at: end, bytes: 0, key: `storage ${series} ended ${end.toISOString()}` })
  }
  await insertLevels(trx, 'cloud_storage', levels, now)
  await keepMark(trx, 'storage', now, now)
}

type Held = Map<string, { owner: string; clusterId: string; at: Date; bytes: number }>

interface LevelRow {
  series: string
  owner: string
  cluster_id: string
  from_at: Date
  bytes: string
}

/** The last levels of what is stopped, however long nobody has read it: it holds what it held. */
async function listLast(trx: Trx, stopped: readonly MeteredInstance[], now: Date): Promise<Held> {
  const { rows } = await sql<LevelRow>`
    select r.* from unnest(${stopped.map(({ owner }) => owner)}::text[],
      ${stopped.map(({ instanceId }) => instanceId)}::text[]) as s (owner, series)
    cross join lateral (
      select series, owner, cluster_id, from_at, bytes from meter_readings as m
      where m.owner = s.owner and product_type = 'cloud_storage' and m.series = s.series and from_at <= ${now}
      order by from_at desc, id desc limit 1) as r`.execute(trx)
  return heldBySeries(rows)
}

/** The last levels that still count at `now`, by series. */
async function listHeld(trx: Trx, now: Date): Promise<Held> {
  const { rows } = await sql<LevelRow>`
    select distinct on (series) series, owner, cluster_id, from_at, bytes from meter_readings
    where product_type = 'cloud_storage' and from_at > ${new Date(now.getTime() - carriedMs)} and from_at <= ${now}
    order by series, from_at desc, id desc`.execute(trx)
  return heldBySeries(rows)
}

function heldBySeries(rows: readonly LevelRow[]): Held {
  return new Map(
    rows.map((row) => [
      row.series,
      { owner: row.owner, clusterId: row.cluster_id, at: row.from_at, bytes: Number(row.bytes) },
    ]),
  )
}
