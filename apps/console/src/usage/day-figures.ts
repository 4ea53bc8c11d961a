/** Daily figures, computed from those that the server sends for a period. */
import type { UsageDays } from '@atoll/contract/billing'
import { type AccountZone, zoneOffsetMs } from '../kit/format/billing-dates.ts'

export type ProductDays = UsageDays['products'][number]
/** The data of a chart of days. */
export type ChartedDays = Pick<ProductDays, 'productType' | 'clusters'>
type Cluster = ProductDays['clusters'][number]

const dayMs = 86_400_000

/** Whether the product is storage: its chart shows the GB held on a day instead of a part of the GB-months. */
export function isHeld({ productType }: Pick<ProductDays, 'productType'>): boolean {
  return productType === 'cloud_storage' || productType === 'cloud_backup'
}

/** A day of a period: how much of it is in the period and past, ms, and whether it goes on. */
export interface Day {
  /** `2026-11-04`. */
  day: string
  pastMs: number
  isRunning: boolean
}

/** The days of a period at `now`, ms of the account's clock. */
export function daysAt(
  { start, end, days }: Pick<UsageDays, 'start' | 'end' | 'days'>,
  zone: AccountZone,
  now: number,
): Day[] {
  return days.map((day) => {
    const begin = Date.parse(`${day}T00:00:00Z`) - zoneOffsetMs[zone]
    const from = Math.max(begin, Date.parse(start))
    const to = Math.min(begin + dayMs, Date.parse(end))
    return { day, pastMs: Math.max(0, Math.min(to, now) - from), isRunning: now >= from && now < to }
  })
}

/** The chart's values of a cluster, one for each day, GB: the sum of a flow, the mean of storage. */
export function figuresOf(
  product: ChartedDays,
  cluster: Cluster,
  days: readonly Day[],
  periodSeconds: number,
): number[] {
  return days.map(({ pastMs }, at) => {
    const used = cluster.days[at] ?? 0
    if (!isHeld(product)) return used
    return pastMs > 0 ? (used * periodSeconds * 1000) / pastMs : 0
  })
}

/** The mean of the days that have passed, GB: per day for a flow, held for storage. */
export function meanOf(product: ProductDays, used: number, days: readonly Day[], periodSeconds: number): number {
  const pastMs = days.reduce((sum, day) => sum + day.pastMs, 0)
  if (pastMs === 0) return 0
  return isHeld(product) ? (used * periodSeconds * 1000) / pastMs : (used * dayMs) / Math.max(pastMs, dayMs)
}

/** The day with the most, and how much; undefined where there is none. */
export function busiestOf(figures: readonly number[]): { at: number; figure: number } | undefined {
  const figure = Math.max(0, ...figures)
  return figure > 0 ? { at: figures.indexOf(figure), figure } : undefined
}

/** Days that must have passed before a period is projected. */
const leastDays = 3

/** The usage at the end of the period if it continues at the same rate; undefined in the first days. */
export function projectedUse({ start, end, isRunning }: UsageDays, used: number, now: number): number | undefined {
  const [from, to] = [Date.parse(start), Date.parse(end)]
  if (!isRunning || now - from < leastDays * dayMs || now >= to) return undefined
  return (used * (to - from)) / (now - from)
}

/** A part of a chart: a cluster, or the smaller ones together. */
export interface ChartPart {
  key: string
  /** Undefined: of the others. */
  name?: string
  figures: number[]
}

/** So many clusters have a colour of their own. */
const mostParts = 4

/** The clusters with the most, and the rest as one. */
export function chartParts(product: ChartedDays, days: readonly Day[], periodSeconds: number): ChartPart[] {
  const parts = product.clusters.map((cluster): ChartPart => {
    return { key: cluster.clusterId, name: cluster.name, figures: figuresOf(product, cluster, days, periodSeconds) }
  })
  if (parts.length <= mostParts) return parts
  const others = parts.slice(mostParts - 1)
  const figures = days.map((_, at) => others.reduce((sum, part) => sum + (part.figures[at] ?? 0), 0))
  return [...parts.slice(0, mostParts - 1), { key: 'others', figures }]
}
