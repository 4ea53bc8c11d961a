import { customerRelease, customerSuspend, suspendedObject } from '@atoll/contract/staff'
import { refuse } from '../../../platform/refusal.ts'
import { lockHold } from '../../accounts/index.ts'
import type { Billing } from '../../billing/index.ts'
import { beginHold, endHold, getCustomer } from '../holds/hold-change.ts'
import { type ApprovedBy, defineAct } from './act.ts'

const changeOf = ({ caller, now, reason, approval }: ApprovedBy) => ({
  ...{ source: { actor: caller, ip: caller.ip }, now },
  facts: { reason, approval },
})

export const suspendAct = defineAct({
  act: 'suspend',
  call: customerSuspend,
  async describe(trx, { accountId, clusterId, scope }) {
    const object = suspendedObject({ scope, clusterId })
    return { object, userid: await getCustomer(trx, accountId) }
  },
  perform: async (trx, body, by) => ({ holdId: await beginHold(trx, body, changeOf(by)) }),
})

/** Ends a suspension; of a mistake the time is given back. */
export const releaseAct = ({ billing }: { billing: Pick<Billing, 'giveTimeBack'> }) =>
  defineAct({
    act: 'release',
    call: customerRelease,
    async describe(trx, { holdId, isMistake }) {
      const hold = (await lockHold(trx, holdId)) ?? refuse('notFound', { object: 'hold' })
      return { object: isMistake ? `mistake ${holdId}` : holdId, userid: await getCustomer(trx, hold.account_id) }
    },
    async perform(trx, { holdId, isMistake }, by) {
      const hold = (await lockHold(trx, holdId)) ?? refuse('notFound', { object: 'hold' })
      await endHold(trx, hold, changeOf(by))
      if (isMistake && hold.scope === 'servers') {
        const userid = await getCustomer(trx, hold.account_id)
        await billing.giveTimeBack(trx, { userid, clusterId: hold.cluster_id, from: hold.held_at })
      }
      return {}
    },
  })
