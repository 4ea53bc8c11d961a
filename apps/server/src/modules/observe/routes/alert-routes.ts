import { clusterAlerts } from '@atoll/contract/observe'
import { implement, type Route } from '../../../http/route.ts'
import type { Caller } from '../../../platform/caller.ts'
import type { Db } from '../../../platform/db/index.ts'
import { readAlerts } from '../alerts/alert-reads.ts'

export interface AlertReadDeps {
  db: Db
  /** The living instances of a cluster; refuses one that `viewer` may not see like one that does not exist. */
  getInstances(viewer: Caller, clusterId: string): Promise<{ instanceId: string; name: string }[]>
}

export function alertRoutes({ db, getInstances }: AlertReadDeps): Route[] {
  return [
    implement(clusterAlerts, async ({ clusterId }, { account }) =>
      readAlerts(db, clusterId, await getInstances(account, clusterId)),
    ),
  ]
}
