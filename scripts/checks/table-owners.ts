/**
 * A table has one owner: the module whose store declares it in `interface Tables`, or the platform. Statements of the
 * others ask the owner, by its exported query or SQL expression; one that names the table fails the check. A view that
 * a migration creates is there to be read by all, and to be written by nobody. Tests may look anywhere.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TablesOfFile, tablesOf } from './table-accesses.ts'

const server = 'apps/server/src/'
const isTest = (file: string) => /\.(test|fixture)\.ts$|\/testing\//.test(file)

/** The queue's tables are its library's, and this one is made before any migration. */
const isPlatformsOwn = (table: string) => table.startsWith('graphile_worker.') || table === 'schema_migrations'

/** `billing` of `apps/server/src/modules/billing/…`, `platform`, or the folder of the rest, as `operator`. */
function moduleOf(file: string): string {
  const [first = '', second = ''] = file.slice(server.length).split('/')
  return first === 'modules' ? second : first
}

/** The tables and views that are there after these migrations. */
function createdBy(migrations: readonly string[]): { tables: Set<string>; views: Set<string> } {
  const [tables, views] = [new Set<string>(), new Set<string>()]
  const steps = migrations
    .join('\n')
    .matchAll(
      /\bcreate (?:unlogged )?table (?<table>\w+)|\bcreate (?:or replace )?view (?<view>\w+)|\bdrop (?:table|view) (?<gone>\w+)|\balter table (?<from>\w+) rename to (?<to>\w+)/gi,
    )
  for (const { groups } of steps) {
    const { table, view, gone, from, to } = groups ?? {}
    if (table) tables.add(table)
    if (view) views.add(view)
    for (const name of [gone, from]) if (name && !views.delete(name)) tables.delete(name)
    if (to) tables.add(to)
  }
  return { tables, views }
}

/**
 * @param files sources of the server, by path from the project's folder
 * @param migrations their texts, in order
 */
export function findForeignTables(files: ReadonlyMap<string, string>, migrations: readonly string[]): string[] {
  const read = [...files]
    .filter(([file]) => file.startsWith(server) && !isTest(file))
    .map(([file, source]) => ({ file, module: moduleOf(file), ...tablesOf(file, source) }))
  const { tables, views } = createdBy(migrations)
  const owners = new Map<string, string>()
  const twice: string[] = []
  for (const { file, module, declared } of read) {
    for (const table of declared) {
      const owner = owners.get(table)
      if (owner !== undefined && owner !== module) twice.push(`${file}: ${table} is declared by ${owner} too`)
      owners.set(table, module)
    }
  }
  const undeclared = [...tables, ...views].filter((table) => !owners.has(table))
  const foreign = read.flatMap((one) => foreignIn(one, owners, views))
  return [...twice, ...undeclared.map((table) => `${table}: no module declares it in its Tables`), ...new Set(foreign)]
}

function foreignIn(
  { file, module, used, mayBeUsed }: TablesOfFile & { file: string; module: string },
  owners: ReadonlyMap<string, string>,
  views: ReadonlySet<string>,
): string[] {
  return [...used, ...mayBeUsed].flatMap(({ table, line, isWritten }) => {
    const owner = isPlatformsOwn(table) ? 'platform' : owners.get(table)
    if (views.has(table)) return isWritten ? [`${file}:${line}: ${table} is a view, which is only read`] : []
    return owner === undefined || owner === module
      ? []
      : [`${file}:${line}: ${table} is a table of ${owner}, which is asked by what it exports`]
  })
}

/** Tables of the server without one owner, and statements that name another module's table; a line each. */
export function findTableProblems(root: string): string[] {
  const readAll = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .sort()
      .map((file) => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')] as const)
  const migrations = readAll('apps/server/migrations/*.sql').map(([, text]) => text)
  return findForeignTables(new Map(readAll(`${server}**/*.ts`)), migrations)
}
