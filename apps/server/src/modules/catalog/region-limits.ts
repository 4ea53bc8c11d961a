/** The applied catalogue with other over-commit factors of one region; comments and all else stay as written. */
import { isDeepStrictEqual } from 'node:util'
import { isMap, parseDocument } from 'yaml'
import type { Db } from '../../platform/db/index.ts'
import { refuse } from '../../platform/refusal.ts'
import { findApplied, textOfApplied } from './applied-store.ts'
import { type CatalogChange, compareCatalog } from './apply-catalog.ts'
import type { Overcommit } from './catalog.ts'
import { type CatalogText, parseCatalogText } from './catalog-file.ts'

export interface RegionLimits {
  cloudName: string
  regionId: string
  factors: Overcommit
}

/** The catalogue to be applied, and how it differs from the one in use. */
export async function planLimits(
  db: Db,
  { cloudName, regionId, factors }: RegionLimits,
): Promise<{ next: CatalogText; change: CatalogChange }> {
  const applied = await findApplied(db)
  if (!applied) return refuse('catalogNotAsked')
  const { text, scripts } = textOfApplied(applied)
  const wanted = parseCatalogText({ text, scripts }, 'the applied catalogue')
  const cloud = wanted.clouds.findIndex((each) => each.cloudName === cloudName)
  const regions = wanted.clouds[cloud]?.regions ?? []
  const region = regions.findIndex((each) => each.regionId === regionId)
  const changed = regions[region]
  if (!changed) return refuse('regionUnknown', { region: regionId, cloud: cloudName })
  changed.overcommit = factors
  const document = parseDocument(text)
  const written = document.getIn(['clouds', cloud, 'regions', region], true)
  // Limits that are written elsewhere, and only named here (`*name`), cannot be changed for this region alone.
  if (!isMap(written)) return refuse('limitsShared')
  const limits = written.get('overcommit', true)
  if (isMap(limits)) for (const [resource, factor] of Object.entries(factors)) limits.set(resource, factor)
  else written.set('overcommit', document.createNode(factors, { flow: true }))
  const next = { text: document.toString({ lineWidth: 0 }), scripts }
  if (!isDeepStrictEqual(parseCatalogText(next, 'the catalogue'), wanted)) return refuse('limitsShared')
  return { next, change: await compareCatalog(db, next) }
}
