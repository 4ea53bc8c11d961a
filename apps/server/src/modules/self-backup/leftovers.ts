/**
 * Leftovers of a backup, a proof or a restore that was killed. Databases beside the one in use are known by their
 * names, and one that nobody is connected to is not being worked on. A dump that was cut off becomes a snapshot all the
 * same, since restic takes the end of its input for the end of the dump: no manifest names it, so nothing restores from
 * it, and it is told by having no snapshot of a deployment of the same time.
 */
import type { Pool } from 'pg'
import { z } from 'zod'
import { advisoryLockClass } from '../../platform/db/migrations/migrate.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { selfBackupLock } from './hot-copy.ts'
import { askRestic, type ResticRepository } from './restic.ts'
import { type BesideKind, besideKinds, databaseOf, dropDatabase, nameBeside } from './server-database.ts'

export interface BesideDatabase {
  name: string
  kind: BesideKind
  isInUse: boolean
}

/** The databases that these commands made beside that of `url`, oldest first. `pool`: of any database of the server. */
export async function listBeside(pool: Pick<Pool, 'query'>, url: string): Promise<BesideDatabase[]> {
  const { rows } = await pool.query<{ name: string; isInUse: boolean }>(
    `select datname as name, exists (select from pg_stat_activity as s where s.datname = d.datname) as "isInUse"
     from pg_database as d order by datname`,
  )
  return rows.flatMap(({ name, isInUse }) => {
    const kind = kindOf(name, databaseOf(url))
    return kind === undefined ? [] : [{ name, kind, isInUse }]
  })
}

function kindOf(name: string, database: string): BesideKind | undefined {
  const [, word, ...at] = /_([a-z]+)_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)$/.exec(name) ?? []
  const kind = besideKinds.find((one) => one === word)
  if (kind === undefined) return undefined
  const [year, month, day, hour, minute, second] = at
  const made = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return !Number.isNaN(made.getTime()) && nameBeside(database, kind, made) === name ? kind : undefined
}

/** Removes those of `kind` that one that was killed left; their names. */
export async function dropLeftovers(pool: Pick<Pool, 'query'>, url: string, kind: BesideKind): Promise<string[]> {
  const left = (await listBeside(pool, url)).filter((one) => one.kind === kind && !one.isInUse)
  for (const { name } of left) await dropDatabase(url, name)
  return left.map(({ name }) => name)
}

const Snapshots = z.array(z.object({ id: z.string(), time: z.coerce.date(), tags: z.array(z.string()).optional() }))

export interface HalfDump {
  id: string
  time: Date
}

/** Snapshots of dumps that belong to no backup, oldest first. One of a backup that is under way is among them. */
export async function listHalfDumps(to: ResticRepository): Promise<HalfDump[]> {
  const all = Snapshots.parse(JSON.parse(await askRestic(to, ['snapshots', '--json', '--host', 'atoll'])))
  const second = (at: Date) => Math.floor(at.getTime() / 1000)
  const tagged = (tag: string) => all.filter(({ tags }) => tags?.includes(tag))
  const whole = new Set(tagged('atoll-self').map(({ time }) => second(time)))
  return tagged('atoll-database').filter(({ time }) => !whole.has(second(time)))
}

/** Those of before are removed after a day, in which another deployment's backup to the same place is over, too. */
const removedAfterMs = 24 * 60 * 60_000

/** A line for each half dump, removing the old ones. The backup that was just taken does not fail because of them. */
export async function tidyHalfDumps(to: ResticRepository, now: Date): Promise<string[]> {
  try {
    const half = await listHalfDumps(to)
    const old = half.filter(({ time }) => now.getTime() - time.getTime() > removedAfterMs)
    if (old.length > 0) await askRestic(to, ['forget', ...old.map(({ id }) => id)])
    return half.map((one) => {
      const what = `Half a dump of ${one.time.toISOString()}, whose backup was killed, is in the repository as ${one.id.slice(0, 8)}`
      return old.includes(one) ? `${what}: it was removed.` : `${what}: no restore uses it, and it goes after a day.`
    })
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return [`Whether a killed backup left half a dump is not known: ${error.message}`]
  }
}

/** Whether a process backs this database up now. */
export async function isBackupUnderWay(pool: Pick<Pool, 'query'>): Promise<boolean> {
  const { rows } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and classid = $1::oid and objid = $2::oid and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [advisoryLockClass, selfBackupLock],
  )
  return rows.length > 0
}
