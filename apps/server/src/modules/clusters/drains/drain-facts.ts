import type { Clock } from '../../../platform/clock.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Catalog } from '../../catalog/index.ts'
import { listMembers, sumSold } from '../capacity/capacity-store.ts'
import { type DrainRow, listOnMember, type MemberKey } from '../capacity/drain-store.ts'
import { factorsOf, roomsOf, usualFactors } from '../capacity/place-order.ts'
import { isTransitioning } from '../lifecycle/cluster-state.ts'
import type { DrainedInstance, DrainFacts } from './decide-drain.ts'

export interface DrainDeps {
  clock: Clock
  compute: { catalog: Pick<Catalog, 'clouds'> }
}
export type Listed = Awaited<ReturnType<typeof listOnMember>>[number]

/** The instances on a member and the room beside it; `drainId`: those that it began to move count as tried. */
export async function readPlace(
  { compute }: Pick<DrainDeps, 'compute'>,
  db: Db,
  at: MemberKey,
  drainId: string | null,
): Promise<Pick<DrainFacts, 'instances' | 'rooms' | 'isLimited'> & { listed: Listed[] }> {
  const [listed, members, sold] = [
    await listOnMember(db, at, drainId),
    await listMembers(db, at),
    await sumSold(db, at),
  ]
  const limits = factorsOf(compute.catalog, at)
  return {
    listed,
    instances: listed.map(instanceOf),
    rooms: roomsOf(members, sold, limits ?? usualFactors).filter(({ member }) => member !== at.member),
    isLimited: limits !== undefined,
  }
}

export async function readFacts(deps: DrainDeps, db: Db, drain: DrainRow): Promise<DrainFacts & { listed: Listed[] }> {
  return {
    ...(await readPlace(deps, db, memberOf(drain), drain.id)),
    now: deps.clock.now(),
    isTold: drain.told_at !== null,
    beginsAt: drain.begins_at,
    endsAt: drain.ends_at,
  }
}

export function memberOf(drain: DrainRow): MemberKey {
  return { cloudName: drain.cloud_name, regionId: drain.region_id, member: drain.member }
}

function instanceOf(row: Listed): DrainedInstance {
  const isAtRest = row.status === 'running' || row.status === 'stopped'
  const stateOf = (): DrainedInstance['state'] => {
    if (row.move_to !== null) return 'moving'
    // One of a drill is gone soon.
    if (row.purpose === 'drill' || isTransitioning(row.status)) return 'busy'
    return isAtRest && !row.given_up ? 'ready' : 'fixed'
  }
  return {
    id: row.id,
    size: { cpu: row.cpu_core_count, memory: row.memory_mib, disk: row.disk_mib },
    state: stateOf(),
    wasTried: Boolean(row.was_tried),
  }
}
