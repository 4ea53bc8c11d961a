import { accountAlerts, clusterAlertPreview, clusterAlertSet, clusterAlerts } from '@atoll/contract/observe'
import { implement, type Route } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import { type AccountAlertsDeps, readAccountAlerts, readAlerts } from '../alerts/alert-reads.ts'
import { ruleOf } from '../alerts/alert-rules.ts'
import { changeRule, type RuleChangeDeps } from '../alerts/change-rule.ts'
import { previewRule } from '../alerts/preview-rule.ts'
import type { SampleStore } from '../samples/sample-store.ts'

export interface AlertRouteDeps extends Omit<RuleChangeDeps, 'listOwned'>, AccountAlertsDeps {
  samples: SampleStore
  /** The living instances of a cluster; refuses one that `viewer` may not see like one that does not exist. */
  getInstances(viewer: Caller, clusterId: string): Promise<{ instanceId: string; name: string }[]>
}

export function alertRoutes(deps: AlertRouteDeps): Route[] {
  const { db, clock, getInstances } = deps
  return [
    implement(accountAlerts, (_, { account }) => readAccountAlerts(deps, account.userid)),
    implement(clusterAlerts, async ({ clusterId }, { account }) =>
      readAlerts(db, clock, clusterId, await getInstances(account, clusterId)),
    ),
    implement(clusterAlertPreview, async ({ clusterId, rule, ...choice }, { account }) => {
      const instances =
        clusterId === 'all' ? await deps.listOwned(db, account.userid) : await getInstances(account, clusterId)
      const ids = instances.map(({ instanceId }) => instanceId)
      return await previewRule(deps, ids, rule, ruleOf(rule, { ...choice, isOn: true, mail: false }))
    }),
    implement(clusterAlertSet, async (change, { account }) => {
      await changeRule(deps, account, change)
      return {}
    }),
  ]
}
