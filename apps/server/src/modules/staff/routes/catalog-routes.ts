import { catalogApply, catalogShow } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid } from '../../accounts/index.ts'
import {
  applyCatalog,
  CatalogError,
  type CatalogPlace,
  compareCatalog,
  raisesOvercommit,
  readCatalogText,
} from '../../catalog/index.ts'
import { findNameOfDid } from '../../identity/index.ts'
import { recordSystem } from '../system/record-system.ts'

export interface CatalogRouteDeps {
  db: Db
  clock: Clock
  config: CatalogPlace
}

/** Calls about the catalogue in use and its file. */
export function catalogRoutes({ db, clock, config }: CatalogRouteDeps): Route[] {
  const read = () => readCatalogText(config.catalogFile)
  return [
    implement(catalogShow, async () => {
      const isAsked = config.catalogApply === 'asked'
      try {
        const next = await read()
        if (!isAsked) return { isAsked, problem: null, change: null }
        const { appliedAt, appliedBy: by, ...change } = await compareCatalog(db, next)
        const did = by === null ? undefined : await findDid(db, by)
        const appliedBy = did === undefined ? null : ((await findNameOfDid(db, did)) ?? did)
        return { isAsked, problem: null, change: { ...change, appliedBy, appliedAt: appliedAt.toISOString() } }
      } catch (error) {
        if (error instanceof CatalogError) return { isAsked, problem: error.message, change: null }
        throw error
      }
    }),
    implement(catalogApply, async ({ from, to }, { account: caller }) => {
      if (config.catalogApply !== 'asked') refuse('catalogNotAsked')
      const next = await read().catch((error: unknown) => {
        throw error instanceof CatalogError ? refuse('catalogBroken', { problem: error.message }) : error
      })
      await db.transaction().execute(async (trx) => {
        // The file as it was looked at, and no later one.
        if ((await compareCatalog(trx, next)).to !== to) refuse('catalogChanged')
        const { before, after } = await applyCatalog(trx, next, { from, at: clock.now(), by: caller.userid })
        if (raisesOvercommit(before, after)) refuse('overcommitNeedsApproval')
        await recordSystem(trx, { caller, action: 'system.applyCatalog', id: to.slice(0, 12) })
      })
      return {}
    }),
  ]
}
