import type { MeteredProduct } from '@atoll/contract/billing'
import type { Db } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { readWallClock } from '../records/wall-clock.ts'
import { type CurrentUsage, type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { toUnits } from './metered-products.ts'

/** A cluster's usage in the running period of its owner's plan, GB. */
export interface ClusterPart {
  used: number
  /** The account's, for all of its clusters; undefined where no plan says. */
  quota?: number
}

export interface ClusterParts {
  traffic: ClusterPart
  backup: ClusterPart
}

interface OwnedCluster {
  owner: string
  clusterId: string
}

export async function readClusterParts(deps: CurrentUsageDeps, db: Db, cluster: OwnedCluster): Promise<ClusterParts> {
  const usage = await readCurrentUsage(deps, db, cluster.owner)
  return {
    traffic: await readPart(deps, db, usage, cluster, 'cloud_traffic'),
    backup: await readPart(deps, db, usage, cluster, 'cloud_backup'),
  }
}

async function readPart(
  deps: CurrentUsageDeps,
  db: Db,
  { period, products }: CurrentUsage,
  { owner, clusterId }: OwnedCluster,
  productType: MeteredProduct,
): Promise<ClusterPart> {
  const planned = products.find(({ product }) => product === productType)
  const parts = planned
    ? planned.read.readings.flatMap(({ counted }) => counted)
    : (await readWithoutPlan(deps, db, { userid: owner, productType, start: period.start })).parts
  const used = parts.filter((part) => part.clusterId === clusterId).reduce((sum, part) => sum + part.used, 0n)
  return { used: toUnits(used), ...(planned && { quota: toUnits(planned.quota) }) }
}

async function readWithoutPlan(
  deps: CurrentUsageDeps,
  db: Db,
  { userid, productType, start }: { userid: string; productType: MeteredProduct; start: Date },
) {
  const limits = await deps.accounts.getLimits(db, userid)
  const wallClock = await readWallClock(db, userid, limits)
  const [from, to] = [wallClock(start), wallClock(accountNow(limits, deps.clock.now()))]
  return await deps.meters.read(db, { userid, productType, from, to })
}
