/** Usage of a period by cluster and time, with the overage and the charge of each share. */
import type { MeteredProduct } from '@atoll/contract/billing'
import { type Period, startOfDay, type Zone } from '@atoll/money'
import type { Db } from '../../../../platform/db/index.ts'
import type { UsageItem } from '../../pricing/basket.ts'
import { type PricedShare, type Share, shareUsage } from '../../pricing/share-usage.ts'
import { readWallClock, type WallClock } from '../../records/wall-clock.ts'
import type { MeterCuts } from '../meters.ts'
import { countIn } from '../read-usage.ts'
import type { About, ProductFigures } from './period-figures.ts'

export interface ShareDeps {
  cuts: MeterCuts
}

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** The shares of each part of the period's item: hourly for a flow, because its order counts, daily for storage. */
export async function readShares(
  deps: ShareDeps,
  db: Db,
  { userid, limits }: Pick<About, 'userid' | 'limits'>,
  { product, read: { item, readings }, amount, readAt }: ProductFigures,
): Promise<PricedShare[][]> {
  const wallClock = await readWallClock(db, userid, limits)
  const shares: Share[][] = []
  for (const { part } of item.parts) {
    const spoken = readings.find((one) => one.part.start.getTime() === part.start.getTime())?.part
    const of = { userid, zone: limits.zone, product, item, wallClock }
    shares.push(spoken ? await readSpoken(deps, db, of, spoken, readAt(spoken)) : [])
  }
  return shareUsage(item, shares, amount)
}

interface ReadOf {
  userid: string
  zone: Zone
  product: MeteredProduct
  item: Pick<UsageItem, 'measure' | 'period'>
  wallClock: WallClock
}

/** The shares of what the meters said of a part, as they knew it then (wall clock), or know it now. */
export async function readSpoken(
  deps: ShareDeps,
  db: Db,
  { userid, zone, product, item: { measure, period }, wallClock }: ReadOf,
  spoken: Period,
  knownBy: Date | undefined,
): Promise<Share[]> {
  const steps = stepsOf(spoken, zone, measure === 'flow' ? hourMs : dayMs)
  return await readPart(deps, db, { userid, product, period, knownBy }, steps, wallClock)
}

async function readPart(
  { cuts: meters }: ShareDeps,
  db: Db,
  {
    userid,
    product,
    period,
    knownBy,
  }: { userid: string; product: MeteredProduct; period: Period; knownBy: Date | undefined },
  steps: readonly Date[],
  wallClock: WallClock,
): Promise<Share[]> {
  const cuts = steps.map(wallClock)
  const [start, end] = [cuts[0], cuts.at(-1)]
  if (!start || !end) return []
  const pieces = await meters.readCuts(db, { userid, productType: product, cuts, knownBy })
  // Rounded as they sum up, so that all of them are what the whole part is counted as.
  const count = countIn(product, period, { start, end })
  let [sum, told] = [0n, 0n]
  return pieces.map(({ cut, clusterId, used: piece }) => {
    sum += piece
    const used = count(sum) - told
    told += used
    return { at: (steps[cut] ?? period.start).getTime(), clusterId, used }
  })
}

/** The part's start, the starts of the hours or days of the zone within it, and its end. */
function stepsOf({ start, end }: Period, zone: Zone, stepMs: number): Date[] {
  const steps = [start]
  // Days and hours of both zones begin at whole steps from the start of a day.
  const first = startOfDay(start, zone).getTime()
  const after = first + (Math.floor((start.getTime() - first) / stepMs) + 1) * stepMs
  for (let at = after; at < end.getTime(); at += stepMs) steps.push(new Date(at))
  return [...steps, end]
}
