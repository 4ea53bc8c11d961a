/** Facts about the whole deployment, the same for every process: rows of `deployment_facts`. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'

interface DeploymentsTable {
  id: string
}

interface DeploymentFactsTable {
  name: string
  value: string
}

declare module '../db/index.ts' {
  interface Tables {
    deployments: DeploymentsTable
    deployment_facts: DeploymentFactsTable
  }
}

/** Id of the folder with the instances of the driver `process`. */
export const processFolderFact = 'process folder'
/** Account that clusters of drills belong to (module clusters). */
export const drillOwnerFact = 'drill owner'

/** For a query: what is kept, or null. */
export function factOf(name: string): RawBuilder<string | null> {
  return sql<string | null>`(select value from deployment_facts where name = ${name})`
}

export async function findFact(db: Db, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ value: string }>`select value from deployment_facts where name = ${name}`.execute(db)
  return rows[0]?.value
}

/** Keeps `value` unless there is one already; gives what is kept. */
export async function keepFact(db: Db, name: string, value: string): Promise<string> {
  await sql`insert into deployment_facts (name, value) values (${name}, ${value}) on conflict do nothing`.execute(db)
  return (await findFact(db, name)) ?? value
}

/** Writes `value` over what was kept before. */
export async function setFact(db: Db, name: string, value: string): Promise<void> {
  await sql`insert into deployment_facts (name, value) values (${name}, ${value})
    on conflict (name) do update set value = excluded.value`.execute(db)
}

/** Writes the time `to` unless a later one than `ifUntil` is kept; true: it was written. */
export async function advanceFact(
  db: Db,
  name: string,
  { to, ifUntil }: { to: Date; ifUntil: Date },
): Promise<boolean> {
  const { rows } = await sql`
    insert into deployment_facts as fact (name, value) values (${name}, ${to.toISOString()})
    on conflict (name) do update set value = excluded.value where fact.value <= ${ifUntil.toISOString()}
    returning fact.name`.execute(db)
  return rows.length > 0
}

/** False when there was none. */
export async function forgetFact(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`delete from deployment_facts where name = ${name} returning name`.execute(db)
  return rows.length > 0
}

/** This deployment's id towards providers and vaults; the migration made it. */
export async function getDeployment(db: Db): Promise<string> {
  return (await db.selectFrom('deployments').select('id').executeTakeFirstOrThrow()).id
}

/** The same for psql, where the database lets nobody else in. */
export const deploymentSql = 'select id from deployments'
