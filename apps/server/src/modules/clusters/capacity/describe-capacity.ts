import type { CapacityRegion } from '@atoll/contract/staff'
import type { Locale } from '@atoll/contract/wire'
import type { Db } from '../../../platform/db/index.ts'
import type { Catalog } from '../../catalog/index.ts'
import { listClosed, listMembers, sumSold } from './capacity-store.ts'
import { roomFor } from './choose-members.ts'
import { listNewestDrains } from './drain-store.ts'
import { factorsOf, isClosed, roomsOf, sizeOf, usualFactors } from './place-order.ts'

/** The regions of the catalogue with their members, for staff. */
export async function describeCapacity(
  db: Db,
  { clouds }: Pick<Catalog, 'clouds'>,
  locale: Locale,
): Promise<CapacityRegion[]> {
  const [closed, members, sold] = await Promise.all([listClosed(db), listMembers(db), sumSold(db)])
  const drains = await listNewestDrains(db)
  return clouds.flatMap(({ cloudName, regions, offerings }) =>
    regions.map(({ regionId, title }): CapacityRegion => {
      const key = { cloudName, regionId }
      const own = members.filter((row) => row.cloud_name === cloudName && row.region_id === regionId)
      const ownSold = sold.filter((row) => isClosed([row], key))
      const limits = factorsOf({ clouds }, key)
      const factors = limits ?? usualFactors
      const rooms = roomsOf(own, ownSold, factors)
      const offering = offerings[Math.floor((offerings.length - 1) / 2)]
      return {
        ...key,
        title: title[locale],
        accepts: !isClosed(closed, key),
        isLimited: limits !== undefined,
        factors,
        instances: ownSold.reduce((sum, { instances }) => sum + instances, 0),
        room: offering
          ? { offering: offering.title[locale], count: Math.min(roomFor(rooms, sizeOf(offering)), 1_000_000) }
          : null,
        members: own.map((row, at) => {
          const room = rooms[at]
          const drain = drains.find((each) => isClosed([keyOf(each)], key) && each.member === row.member)
          const real = { cpu: row.cpu_cores, memory: Number(row.memory_mib), disk: Number(row.disk_mib) }
          return {
            member: row.member,
            state: row.full_since ? 'full' : row.state,
            accepts: row.accepts,
            real,
            instances: ownSold.find(({ member }) => member === row.member)?.instances ?? 0,
            total: room?.total ?? real,
            sold: room?.sold ?? { cpu: 0, memory: 0, disk: 0 },
            used: { cpu: row.cpu_busy, memory: Number(row.memory_used_mib), disk: Number(row.disk_used_mib) },
            readAt: row.read_at.toISOString(),
            drain: drain
              ? {
                  drainId: drain.id,
                  state: drain.state,
                  beginsAt: drain.begins_at.toISOString(),
                  endsAt: drain.ends_at.toISOString(),
                  endedAt: drain.ended_at?.toISOString() ?? null,
                  moved: drain.moved,
                }
              : null,
          }
        }),
      }
    }),
  )
}

function keyOf({ cloud_name, region_id }: { cloud_name: string; region_id: string }) {
  return { cloudName: cloud_name, regionId: region_id }
}
