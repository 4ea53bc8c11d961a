import { drainStart } from '@atoll/contract/staff'
import type { Clock } from '../../../platform/clock.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { LiveCatalog } from '../../catalog/index.ts'
import { planDrain, startDrain } from '../../clusters/index.ts'
import { type AnyAct, defineAct } from './act.ts'
import { recordStaff } from './record-staff.ts'

export interface DrainActDeps {
  clock: Clock
  catalog: Pick<LiveCatalog, 'current'>
}

/** Moves the instances of a member to the others of its region. */
export const drainAct = ({ clock, catalog }: DrainActDeps): AnyAct =>
  defineAct({
    act: 'drain',
    call: drainStart,
    async describe(trx, at) {
      const { fitting } = await planDrain({ compute: { catalog: catalog.current() } }, trx, at)
      if (fitting === 0) refuse('drainNoRoom')
      return { object: `member ${placeOf(at)}` }
    },
    async perform(trx, { beginsAt, endsAt, ...at }, { caller, reason, approval }) {
      await startDrain({ clock, compute: { catalog: catalog.current() } }, trx, at, {
        beginsAt,
        endsAt,
        by: caller.userid,
      })
      const facts = { place: placeOf(at), reason, approval }
      await recordStaff(trx, 'support.drain', { owner: caller.userid, caller, facts })
      return {}
    },
  })

export function placeOf({ cloudName, regionId, member }: { cloudName: string; regionId: string; member: string }) {
  return [cloudName, regionId, member].join('/')
}
