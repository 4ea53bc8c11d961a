/**
 * The catalogue as it was applied, where it is not the file that counts (ATOLL_CATALOG_APPLY=asked): the same for every
 * process on every host. Each change is a row; the newest is in use, those before it are kept.
 */
import { type Generated, type Selectable, sql } from 'kysely'
import { sha256Hex } from '../../platform/crypto.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { notify } from '../../platform/events/index.ts'
import type { Catalog } from './catalog.ts'
import { type CatalogText, parseCatalogText } from './catalog-file.ts'

interface AppliedCatalogsTable {
  number: Generated<number>
  text: string
  /** JSON: the texts of its scripts by their file names. */
  scripts: string
  hash: string
  applied_at: Date
  /** The account id of who did; null: the first start, or the operator's command. */
  applied_by: string | null
}
export type AppliedCatalog = Selectable<AppliedCatalogsTable>

declare module '../../platform/db/index.ts' {
  interface Tables {
    applied_catalogs: AppliedCatalogsTable
  }
}

/** Says to every process that there is another one. */
export const catalogChannel = 'atoll_catalog'

export function hashOfCatalog({ text, scripts }: CatalogText): string {
  return sha256Hex(JSON.stringify([text, Object.entries(scripts).toSorted(([a], [b]) => (a < b ? -1 : 1))]))
}

export async function findApplied(db: Db): Promise<AppliedCatalog | undefined> {
  return await db.selectFrom('applied_catalogs').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()
}

export async function findAppliedNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom('applied_catalogs')
    .select((from) => from.fn.max('number').as('number'))
    .executeTakeFirst()
  return Number(row?.number ?? 0)
}

/** Locks out other changes until `trx` ends; the one in use, undefined: none was applied yet. */
export async function lockApplied(trx: Trx): Promise<AppliedCatalog | undefined> {
  await sql`lock table applied_catalogs in share row exclusive mode`.execute(trx)
  return await findApplied(trx)
}

export async function insertApplied(
  trx: Trx,
  { text, scripts }: CatalogText,
  { at, by }: { at: Date; by: string | null },
): Promise<void> {
  const row = { text, scripts: JSON.stringify(scripts), hash: hashOfCatalog({ text, scripts }) }
  const { number } = await trx
    .insertInto('applied_catalogs')
    .values({ ...row, applied_at: at, applied_by: by })
    .returning('number')
    .executeTakeFirstOrThrow()
  await notify(trx, catalogChannel, { number })
}

export function textOfApplied({ text, scripts }: Pick<AppliedCatalog, 'text' | 'scripts'>): CatalogText {
  return { text, scripts: JSON.parse(scripts) as Record<string, string> } // insertApplied wrote it
}

/** The catalogue in use. */
export async function readApplied(db: Db): Promise<Catalog> {
  const applied = await findApplied(db)
  if (!applied) throw new Error('no catalogue was applied')
  return parseCatalogText(textOfApplied(applied), 'the applied catalogue')
}
