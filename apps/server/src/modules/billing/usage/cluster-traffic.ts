import type { Db } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { readWallClock } from '../travel/wall-clock.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'
import { perUnit } from './metered-products.ts'

/** What a cluster moved in the running period of its owner's plan, GB. */
export interface ClusterTraffic {
  used: number
  /** The account's, for all of its clusters; undefined where no plan says. */
  quota?: number
}

export async function readClusterTraffic(
  deps: CurrentUsageDeps,
  db: Db,
  { owner, clusterId }: { owner: string; clusterId: string },
): Promise<ClusterTraffic> {
  const { period, products } = await readCurrentUsage(deps, db, owner)
  const traffic = products.find(({ product }) => product === 'cloud_traffic')
  const readings = traffic
    ? traffic.read.readings.map(({ reading }) => reading)
    : [await readWithoutPlan(deps, db, owner, period.start)]
  const used = readings
    .flatMap(({ parts }) => parts)
    .filter((part) => part.clusterId === clusterId)
    .reduce((sum, part) => sum + part.used, 0n)
  return {
    used: toUnits(used),
    ...(traffic && { quota: toUnits(traffic.quota) }),
  }
}

async function readWithoutPlan(deps: CurrentUsageDeps, db: Db, userid: string, start: Date) {
  const limits = await deps.accounts.getLimits(db, userid)
  const wallClock = await readWallClock(db, userid, limits)
  const [from, to] = [wallClock(start), wallClock(accountNow(limits, deps.clock.now()))]
  return await deps.meters.read(db, { userid, productType: 'cloud_traffic', from, to })
}

function toUnits(micros: bigint): number {
  return Number(micros) / Number(perUnit)
}
