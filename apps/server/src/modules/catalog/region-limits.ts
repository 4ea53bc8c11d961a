/** The applied catalogue with other over-commit factors of one region; comments and all else stay as written. */
import { parseDocument } from 'yaml'
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
  const { clouds } = parseCatalogText({ text, scripts }, 'the applied catalogue')
  const cloud = clouds.findIndex((each) => each.cloudName === cloudName)
  const region = clouds[cloud]?.regions.findIndex((each) => each.regionId === regionId) ?? -1
  if (region < 0) refuse('regionUnknown', { region: regionId, cloud: cloudName })
  const document = parseDocument(text)
  const path = ['clouds', cloud, 'regions', region, 'overcommit']
  if (document.hasIn(path))
    for (const [resource, factor] of Object.entries(factors)) document.setIn([...path, resource], factor)
  else document.setIn(path, document.createNode(factors, { flow: true }))
  const next = { text: document.toString({ lineWidth: 0 }), scripts }
  return { next, change: await compareCatalog(db, next) }
}
