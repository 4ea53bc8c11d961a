import { type RawBuilder, sql } from 'kysely'
import { type Db, listMissingMigrations } from '../../../platform/db/index.ts'
import { type Check, type Finding, failed, passed, reasonOf, sizeText, skipped, unseen, warned } from '../check.ts'

const group = 'Database'
/** Of a disk: the parts above which it is told, and above which it is a failure (operator-texts, rule 7). */
export const diskWarns = 0.8
export const diskFails = 0.95
/** A standby that is further behind, s, is no place to go on at once. */
const mostBehindS = 60
/** Rows that are written to a temporary file, a megabyte: a full disk refuses them. */
const spilledRows = 70_000

/** The first row; throws what the database says. */
async function one<T>(db: Db, query: RawBuilder<T>): Promise<T | undefined> {
  return (await query.execute(db)).rows[0]
}

export const databaseChecks: readonly Check[] = [
  {
    name: 'schema',
    group,
    title: 'Schema is the one of this version',
    needsDatabase: true,
    async look({ pool, config: { version, isRelease } }) {
      const missing = await listMissingMigrations(pool)
      if (missing.length === 0) return passed(version)
      return failed(
        `The database lacks ${missing.length} migrations of ${version}, the first of them ${missing[0]}.`,
        'Bring it up to date.',
        isRelease ? 'atollctl migrate' : 'npm start -- migrate',
      )
    },
  },
  {
    name: 'writes',
    group,
    title: 'Writes go through',
    needsDatabase: true,
    async look({ db }) {
      try {
        await db.transaction().execute(async (trx) => {
          await sql`set local work_mem = '64kB'`.execute(trx)
          await sql`select count(*) from generate_series(1, ${spilledRows}::int)`.execute(trx)
          await sql`create temporary table doctor_writes (at timestamptz) on commit drop`.execute(trx)
          await sql`insert into doctor_writes values (now())`.execute(trx)
          // A temporary table may be written where nothing else may.
          const state = await one(
            trx,
            sql<{ readOnly: string }>`select current_setting('transaction_read_only') as "readOnly"`,
          )
          if (state?.readOnly === 'on') throw new Error('the database is read-only')
        })
        return passed()
      } catch (error) {
        return failed(
          `PostgreSQL does not write: ${reasonOf(error)}.`,
          'Make room on its disk; where this is a standby, promote it or name the primary in DATABASE_URL.',
        )
      }
    },
  },
  {
    name: 'standby',
    group,
    title: 'Standby follows',
    needsDatabase: true,
    look: ({ db }) => lookAtStandby(db),
  },
  {
    name: 'pooler',
    group,
    title: 'A connection keeps its session',
    needsDatabase: true,
    async look({ context }) {
      const problem = await context.findPooler()
      if (problem === undefined) return passed()
      return failed(
        problem,
        'Set pool_mode = session for this database, or name PostgreSQL itself in DATABASE_URL: LISTEN and advisory locks need sessions.',
      )
    },
  },
  {
    name: 'audit',
    group,
    title: 'Audit log is whole',
    needsDatabase: true,
    async look({ context, config: { isRelease } }) {
      try {
        return passed(`${await context.verifyAudit()} records`)
      } catch (error) {
        return failed(
          `${reasonOf(error)}.`,
          'Keep the database as it is, compare it with a backup of before, and find out who wrote to it.',
          isRelease ? 'atollctl audit-verify' : 'npm run audit:verify',
        )
      }
    },
  },
  {
    name: 'database-disk',
    group,
    title: 'PostgreSQL has free disk space',
    needsDatabase: true,
    async look({ db, context, config: { dataDir, databaseUrl } }) {
      const folder = databaseUrl === undefined ? dataDir : await findDataDirectory(db)
      if (folder === undefined) return skipped('PostgreSQL is on another machine, or does not say where its data is')
      const space = await context.spaceOf(folder)
      if (space === undefined) return skipped(`${folder} is not on this machine`)
      return judgeSpace({ what: `The disk of ${folder}`, ...space }, async () => {
        const tables = await listLargest(db)
        return `Make the disk larger. The largest tables: ${tables.map(({ name, bytes }) => `${name} ${sizeText(bytes)}`).join(', ')}.`
      })
    },
  },
]

/** Says how full a disk is; `mend` is asked where that is too much. */
export async function judgeSpace(
  { what, total, free }: { what: string; total: number; free: number },
  mend: () => Promise<string>,
): Promise<Finding> {
  const used = total === 0 ? 0 : 1 - free / total
  const found = `${what}: ${sizeText(total - free)} of ${sizeText(total)} are used.`
  if (used < diskWarns) return passed(`${sizeText(free)} free`)
  return used < diskFails ? warned(found, await mend()) : failed(found, await mend())
}

async function lookAtStandby(db: Db): Promise<Finding> {
  const { rows: standbys } = await sql<{
    name: string
    state: string | null
    sync: string | null
    behind: number | null
  }>`
    select application_name as name, state, sync_state as sync,
           extract(epoch from replay_lag)::float8 as behind
      from pg_stat_replication where application_name <> 'pg_basebackup'`.execute(db)
  const settings = await one(db, sql<{ names: string }>`select current_setting('synchronous_standby_names') as names`)
  const wants = (settings?.names ?? '') !== ''
  if (standbys.length === 0) {
    if (!wants) return skipped('there is none')
    return failed(
      `synchronous_standby_names is "${settings?.names}", and no standby is connected: every write waits.`,
      'Start the standby. Where it is lost, take it off, and put it back once another follows:',
      "psql -c \"alter system set synchronous_standby_names = ''\" -c 'select pg_reload_conf()'",
    )
  }
  if (standbys.some(({ state }) => state === null))
    return unseen('this user may not see standbys: grant pg_monitor to it')
  const bad = standbys.filter(({ state, behind }) => state !== 'streaming' || (behind ?? 0) > mostBehindS)
  if (wants && !standbys.some(({ sync }) => sync === 'sync' || sync === 'quorum'))
    return failed(
      'No standby is synchronous, though synchronous_standby_names wants one.',
      'Give the standby that name.',
    )
  if (bad.length === 0) return passed(standbys.map(({ name }) => name).join(', '))
  const found = bad.map(({ name, state, behind }) => `${name} is ${state}, ${Math.round(behind ?? 0)} s behind`)
  return warned(
    `${found.join('; ')}.`,
    'Look at the log of the standby; one that has lost its place is made again from a base backup.',
  )
}

/** Undefined where this user may not know it. */
async function findDataDirectory(db: Db): Promise<string | undefined> {
  const row = await one(
    db,
    sql<{ folder: string | null }>`select (select setting from pg_settings where name = 'data_directory') as folder`,
  )
  return row?.folder ?? undefined
}

async function listLargest(db: Db): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select coalesce(parent.relname, t.relname)::text as name, sum(pg_total_relation_size(t.oid))::bigint as bytes
      from pg_class t
      left join pg_inherits i on i.inhrelid = t.oid left join pg_class parent on parent.oid = i.inhparent
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace
     group by 1 order by 2 desc limit 3`.execute(db)
  return rows
}
