/**
 * Where the instances of an order go. Regions whose catalogue sets over-commit factors are limited: their row is locked
 * from here to the end of the order's transaction, so that of two orders for the last room one is refused. A region
 * without factors sells without end, as before there were any; what is switched off there takes no orders either way.
 */
import type { Db, Trx } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { Catalog, CatalogOffering } from '../../catalog/index.ts'
import {
  type CapacityMember,
  listClosed,
  listMembers,
  lockRegion,
  type RegionKey,
  type Sold,
  sumSold,
} from './capacity-store.ts'
import { chooseMembers, type MemberRoom, roomFor, type Size } from './choose-members.ts'

/** A member whose disk is used to this degree accepts no orders, however little of it is sold. */
export const fullPart = 0.95
/** Of a region without factors, for what the pages show and to choose by. */
export const usualFactors = { cpu: 4, memory: 1, disk: 1.5 }

type Factors = typeof usualFactors
/** The fields of an offering that placing an order needs. */
type Offered = Pick<CatalogOffering, 'name' | 'cpuCoreCount' | 'memoryMiB' | 'diskMiB' | 'soldOutIn'>

export function factorsOf(
  { clouds }: Pick<Catalog, 'clouds'>,
  { cloudName, regionId }: RegionKey,
): Factors | undefined {
  return clouds.find((cloud) => cloud.cloudName === cloudName)?.regions.find((region) => region.regionId === regionId)
    ?.overcommit
}

export function sizeOf({ cpuCoreCount, memoryMiB, diskMiB }: Offered): Size {
  return { cpu: cpuCoreCount, memory: memoryMiB, disk: diskMiB }
}

/** The room of each member. Of instances whose member is not known, each has a part by its size. */
export function roomsOf(members: readonly CapacityMember[], sold: readonly Sold[], factors: Factors): MemberRoom[] {
  const totalOf = (row: CapacityMember): Size => ({
    cpu: Number(row.cpu_cores) * factors.cpu,
    memory: Number(row.memory_mib) * factors.memory,
    disk: Number(row.disk_mib) * factors.disk,
  })
  const names = new Set(members.map(({ member }) => member))
  const unplaced = sold.filter(({ member }) => member === null || !names.has(member))
  const sum = (rows: readonly Size[], resource: keyof Size) => rows.reduce((total, row) => total + row[resource], 0)
  const all = members.map(totalOf)
  return members.map((row) => {
    const own = sold.filter(({ member }) => member === row.member)
    const total = totalOf(row)
    const soldOf = (resource: keyof Size) => {
      const whole = sum(all, resource)
      return sum(own, resource) + (whole > 0 ? (sum(unplaced, resource) * total[resource]) / whole : 0)
    }
    return {
      member: row.member,
      total,
      accepts: row.accepts && row.state === 'online' && row.full_since === null,
      sold: { cpu: soldOf('cpu'), memory: soldOf('memory'), disk: soldOf('disk') },
    }
  })
}

type Placed = (string | null)[] | 'closed' | 'soldOut'

/** Members for `count` instances of an offering; null: their provider chooses. Refuses where there is no room. */
export async function placeOrder(
  trx: Trx,
  catalog: Pick<Catalog, 'clouds'>,
  order: NewPlace,
): Promise<(string | null)[]> {
  const { regionId: region, offering } = order
  const placed = await takePlace(trx, catalog, order)
  if (placed === 'closed') refuse('regionClosed', { region })
  if (placed === 'soldOut') refuse('offeringSoldOut', { offering: offering.name, region })
  return placed
}

type NewPlace = RegionKey & { offering: Offered; count: number }

/** The same for whom nobody waits. */
export async function takePlace(
  trx: Trx,
  catalog: Pick<Catalog, 'clouds'>,
  { offering, count, ...region }: NewPlace,
): Promise<Placed> {
  const limits = factorsOf(catalog, region)
  const isOpen = limits ? await lockRegion(trx, region) : !isClosed(await listClosed(trx), region)
  if (!isOpen) return 'closed'
  const anywhere = Array.from({ length: count }, () => null)
  const members = await listMembers(trx, region)
  // Not read yet, or its provider does not say.
  if (members.length === 0) return anywhere
  const rooms = roomsOf(members, await sumSold(trx, region), limits ?? usualFactors)
  const isLimited = limits !== undefined
  const chosen = chooseMembers(rooms, { size: sizeOf(offering), count, isLimited })
  return chosen ?? (isLimited || isShut(members) ? 'soldOut' : anywhere)
}

/**
 * Whether members without limits take no order: nothing but a switch or a full disk refuses one, as one that only does
 * not answer now may do so soon.
 */
function isShut(members: readonly CapacityMember[]): boolean {
  const isOff = ({ accepts, full_since }: CapacityMember) => !accepts || full_since !== null
  return members.some(isOff) && members.every((member) => isOff(member) || member.state !== 'online')
}

export function isClosed(closed: readonly RegionKey[], { cloudName, regionId }: RegionKey): boolean {
  return closed.some((region) => region.cloudName === cloudName && region.regionId === regionId)
}

/** Whether one more of an offering can be ordered in a region now, for those who choose. */
export async function openOffers(
  db: Db,
  catalog: Pick<Catalog, 'clouds'>,
): Promise<(region: RegionKey, offering: Offered) => 'open' | 'closed' | 'soldOut'> {
  const [closed, members, sold] = await Promise.all([listClosed(db), listMembers(db), sumSold(db)])
  const isOf = (region: RegionKey) => (row: { cloudName: string; regionId: string }) => isClosed([row], region)
  return (region, offering) => {
    if (offering.soldOutIn.includes(region.regionId)) return 'soldOut'
    if (isClosed(closed, region)) return 'closed'
    const limits = factorsOf(catalog, region)
    const own = members.filter((row) => row.cloud_name === region.cloudName && row.region_id === region.regionId)
    if (!limits) return isShut(own) ? 'soldOut' : 'open'
    if (own.length === 0) return 'open'
    return roomFor(roomsOf(own, sold.filter(isOf(region)), limits), sizeOf(offering)) > 0 ? 'open' : 'soldOut'
  }
}
