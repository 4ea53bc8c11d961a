import { customerErase, customerKeep } from '@atoll/contract/staff'
import { refuse } from '../../../platform/refusal.ts'
import { listClusterFigures } from '../../clusters/index.ts'
import { beginClosing, type ClosingDeps, keepAccount, wasExported } from '../../rights/index.ts'
import { getCustomer } from '../holds/hold-change.ts'
import { type ApprovedBy, defineAct } from './act.ts'

export type EraseActDeps = Pick<ClosingDeps, 'clock' | 'mail'> & {
  config: Pick<ClosingDeps['config'], 'retentionYears'>
}

const exportMs = 30 * 24 * 60 * 60_000
const askedBy = ({ caller, reason, approval }: ApprovedBy) => ({
  source: caller,
  ip: caller.ip,
  facts: { reason, approval },
})

/** For requests that come by mail: the account closes as by its owner, who can keep it as well as staff. */
export function eraseActs(deps: EraseActDeps) {
  return [
    defineAct({
      act: 'erase',
      call: customerErase,
      async describe(trx, { accountId }) {
        const userid = await getCustomer(trx, accountId)
        if ((await listClusterFigures(trx, userid)).length > 0) refuse('eraseClusters')
        const since = new Date(deps.clock.now().getTime() - exportMs)
        if (!(await wasExported(trx, userid, since))) refuse('eraseNoExport')
        return { object: accountId, userid }
      },
      async perform(trx, { accountId }, by) {
        return { until: (await beginClosing(deps, trx, accountId, askedBy(by))).toISOString() }
      },
    }),
    defineAct({
      act: 'keep',
      call: customerKeep,
      describe: async (trx, { accountId }) => ({ object: accountId, userid: await getCustomer(trx, accountId) }),
      async perform(trx, { accountId }, by) {
        await keepAccount(deps, trx, accountId, askedBy(by))
        return {}
      },
    }),
  ]
}
