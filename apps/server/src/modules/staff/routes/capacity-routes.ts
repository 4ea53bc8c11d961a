import { capacityAccept, capacityShow, drainPlan, drainStop, regionLimitsPlan } from '@atoll/contract/staff'
import { implement, type Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { describeCapacity, planDrain, setAccepts, stopDrain } from '../../clusters/index.ts'
import { type DrainActDeps, placeOf } from '../acts/drain-act.ts'
import { type LimitsActDeps, planAsked } from '../acts/limits-act.ts'
import { recordSystem } from '../system/record-system.ts'

export interface CapacityRouteDeps extends LimitsActDeps, DrainActDeps {
  db: Db
}

/** Calls about the machines that instances run on. */
export function capacityRoutes(deps: CapacityRouteDeps): Route[] {
  const { db, clock, catalog } = deps
  return [
    implement(regionLimitsPlan, async (body) => {
      const { change } = await planAsked(deps, db, body)
      return { from: change.from, difference: change.difference }
    }),
    implement(capacityShow, async (_, { locale }) => ({
      regions: await describeCapacity(db, catalog.current(), locale),
    })),
    implement(drainPlan, (at) => planDrain({ compute: { catalog: catalog.current() } }, db, at)),
    implement(drainStop, async ({ drainId }, { account: caller }) => {
      await db.transaction().execute(async (trx) => {
        const at = await stopDrain({ clock }, trx, drainId)
        await recordSystem(trx, { caller, action: 'system.stopDrain', id: at.regionId, after: { place: placeOf(at) } })
      })
      return {}
    }),
    implement(capacityAccept, async ({ cloudName, regionId, member, accepts }, { account: caller }) => {
      const cloud = catalog.current().clouds.find((each) => each.cloudName === cloudName)
      if (!cloud?.regions.some((each) => each.regionId === regionId))
        refuse('regionUnknown', { region: regionId, cloud: cloudName })
      await db.transaction().execute(async (trx) => {
        if (!(await setAccepts(trx, { cloudName, regionId }, { member, accepts }))) refuse('memberGone')
        const place = [cloudName, regionId, ...(member === undefined ? [] : [member])].join('/')
        const action = accepts ? 'system.openOrders' : 'system.closeOrders'
        await recordSystem(trx, { caller, action, id: regionId, after: { place } })
      })
      return {}
    }),
  ]
}
