import { catalogApply, catalogShow } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import { OperatorError } from '../../../platform/operator-error.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid } from '../../accounts/index.ts'
import {
  applyCatalog,
  type CatalogPlace,
  compareCatalog,
  raisesOvercommit,
  readCatalogText,
} from '../../catalog/index.ts'
import { checkClouds } from '../../compute/index.ts'
import { findNameOfDid } from '../../identity/index.ts'
import { recordSystem } from '../system/record-system.ts'

export interface CatalogRouteDeps {
  db: Db
  clock: Clock
  config: CatalogPlace & { controlUrl: string }
}

/** Calls about the catalogue in use and its file. */
export function catalogRoutes({ db, clock, config }: CatalogRouteDeps): Route[] {
  // A catalogue that no process can start with would stop them all at the next start.
  const readUsable = async () => {
    const next = await readCatalogText(config.catalogFile)
    await checkClouds(next.catalog, config)
    return next
  }
  return [
    implement(catalogShow, async () => {
      const isAsked = config.catalogApply === 'asked'
      try {
        const next = await readUsable()
        if (!isAsked) return { isAsked, problem: null, change: null }
        const { appliedAt, appliedBy: by, ...change } = await compareCatalog(db, next)
        const did = by === null ? undefined : await findDid(db, by)
        const appliedBy = did === undefined ? null : ((await findNameOfDid(db, did)) ?? did)
        return { isAsked, problem: null, change: { ...change, appliedBy, appliedAt: appliedAt.toISOString() } }
      } catch (error) {
        if (error instanceof OperatorError) return { isAsked, problem: error.message, change: null }
        throw error
      }
    }),
    implement(catalogApply, async ({ from, to }, { account: caller }) => {
      if (config.catalogApply !== 'asked') refuse('catalogNotAsked')
      const next = await readUsable().catch((error: unknown) => {
        throw error instanceof OperatorError ? refuse('catalogBroken', { problem: error.message }) : error
      })
      await db.transaction().execute(async (trx) => {
        // The file as it was looked at, and no later one.
        if ((await compareCatalog(trx, next)).to !== to) refuse('catalogChanged')
        const { before, after } = await applyCatalog(trx, next, { from, at: clock.now(), by: caller.userid })
        if (!before || raisesOvercommit(before, after)) refuse('overcommitRaised')
        await recordSystem(trx, { caller, action: 'system.applyCatalog', id: to.slice(0, 12) })
      })
      return {}
    }),
  ]
}
