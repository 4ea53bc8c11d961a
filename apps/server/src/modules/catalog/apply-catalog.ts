/** Applying a catalogue on request: what is different is seen first, and exactly that is applied. */
import type { Clock } from '../../platform/clock.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { findApplied, hashOfCatalog, insertApplied, lockApplied, readApplied, textOfApplied } from './applied-store.ts'
import type { Catalog, Overcommit } from './catalog.ts'
import { CatalogError, type CatalogText, parseCatalogText, readCatalog, readCatalogText } from './catalog-file.ts'
import { differenceText } from './line-difference.ts'

export interface CatalogPlace {
  catalogFile: string
  catalogApply: 'file' | 'asked'
}

/** Takes the file for the first applied catalogue, unless there is one. */
export async function adoptFile({ db, clock }: { db: Db; clock: Clock }, file: string): Promise<void> {
  if (await findApplied(db)) return
  const text = await readCatalogText(file)
  await db.transaction().execute(async (trx) => {
    if (!(await lockApplied(trx))) await insertApplied(trx, text, { at: clock.now(), by: null })
  })
}

/** The catalogue that counts, for a command beside the servers. */
export async function readCatalogInUse(db: Db, { catalogFile, catalogApply }: CatalogPlace): Promise<Catalog> {
  const isApplied = catalogApply === 'asked' && (await findApplied(db)) !== undefined
  return isApplied ? await readApplied(db) : await readCatalog(catalogFile)
}

/** The text as it is compared: the catalogue, and under it each script. */
function wholeText({ text, scripts }: CatalogText): string {
  const parts = Object.entries(scripts).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return [text.trimEnd(), ...parts.map(([name, script]) => `# script ${name}\n${script.trimEnd()}`)].join('\n')
}

export interface CatalogChange {
  /** Hashes of the catalogue in use and of the new one: sent back to apply exactly the difference that was shown. */
  from: string
  to: string
  appliedAt: Date
  appliedBy: string | null
  /** Lines that begin with `-` go, with `+` come; empty: nothing is different. */
  difference: string
}

/** How `next` differs from the catalogue in use. */
export async function compareCatalog(db: Db, next: CatalogText): Promise<CatalogChange> {
  const applied = await findApplied(db)
  if (!applied) return refuse('catalogNotAsked')
  const { hash, applied_at, applied_by } = applied
  return {
    from: hash,
    to: hashOfCatalog(next),
    appliedAt: applied_at,
    appliedBy: applied_by,
    difference: hash === hashOfCatalog(next) ? '' : differenceText(wholeText(textOfApplied(applied)), wholeText(next)),
  }
}

const regionsOf = ({ clouds }: Pick<Catalog, 'clouds'>) =>
  clouds.flatMap(({ cloudName, regions }) =>
    regions.map(({ regionId, overcommit }) => ({ cloudName, regionId, overcommit })),
  )

/**
 * Whether `after` lets a region sell more of a resource than `before` does: by a larger factor, or because its limit is
 * gone. A new region is compared with the strictest limits in use: it may be another name for the same machines.
 */
export function raisesOvercommit(before: Pick<Catalog, 'clouds'>, after: Pick<Catalog, 'clouds'>): boolean {
  const known = regionsOf(before)
  const limits = known.flatMap(({ overcommit }) => overcommit ?? [])
  const least = (resource: keyof Overcommit) => Math.min(...limits.map((each) => each[resource]))
  const strictest = limits.length > 0 && { cpu: least('cpu'), memory: least('memory'), disk: least('disk') }
  return regionsOf(after).some(({ cloudName, regionId, overcommit: now }) => {
    const same = known.find((each) => each.cloudName === cloudName && each.regionId === regionId)
    const old = same ? same.overcommit : strictest
    return old && (!now || now.cpu > old.cpu || now.memory > old.memory || now.disk > old.disk)
  })
}

/**
 * Puts `next` in use for every process. Refused where another was applied since `from` was seen. `before`: undefined
 * where the one in use cannot be read any more, as by a program that is stricter; it can then still be replaced.
 */
export async function applyCatalog(
  trx: Trx,
  next: CatalogText,
  { from, at, by }: { from: string; at: Date; by: string | null },
): Promise<{ before: Catalog | undefined; after: Catalog }> {
  const applied = (await lockApplied(trx)) ?? refuse('catalogNotAsked')
  if (applied.hash !== from) refuse('catalogChanged')
  const before = parseApplied(textOfApplied(applied))
  const after = parseCatalogText(next, 'the catalogue')
  if (hashOfCatalog(next) !== from) await insertApplied(trx, { text: next.text, scripts: next.scripts }, { at, by })
  return { before, after }
}

function parseApplied(text: CatalogText): Catalog | undefined {
  try {
    return parseCatalogText(text, 'the applied catalogue')
  } catch (error) {
    if (error instanceof CatalogError) return undefined
    throw error
  }
}
