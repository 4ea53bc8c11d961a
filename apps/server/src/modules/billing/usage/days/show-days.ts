/** The calls `usage/periods` and `usage/days`, and the rows of the CSV export. */
import type { MeteredProduct, UsageDays, UsageDaysFilter, UsagePeriod, usagePeriods } from '@atoll/contract/billing'
import type { CallData, PageQuery } from '@atoll/contract/wire'
import {
  dayInZone,
  formatRate,
  type Money,
  money,
  type Period,
  secondsBetween,
  subtractMoney,
  sumMoney,
  type Zone,
} from '@atoll/money'
import { type Db, inSnapshot, type Trx } from '../../../../platform/db/index.ts'
import { refuse } from '../../../../platform/refusal.ts'
import { accountNow } from '../../../accounts/index.ts'
import type { PricedShare } from '../../pricing/share-usage.ts'
import { readCopies } from '../../records/documents/document-copies.ts'
import type { CurrentUsageDeps } from '../current-usage.ts'
import { metering, toUnits } from '../metered-products.ts'
import { type CountedPeriod, listPeriods } from './list-periods.ts'
import { type About, type PeriodFigures, type ProductFigures, readFigures } from './period-figures.ts'
import { readShares, type ShareDeps } from './read-shares.ts'

export type DaysDeps = CurrentUsageDeps & ShareDeps & { db: Db }

const dayMs = 86_400_000

export async function pagePeriods(
  deps: DaysDeps,
  userid: string,
  { page, rowsPerPage }: PageQuery,
): Promise<CallData<typeof usagePeriods>> {
  return await inSnapshot(deps.db, async (trx) => {
    const about = await readAbout(deps, trx, userid)
    const counted = await listPeriods(trx, about)
    const running = counted.pop() ?? refuse('notFound', { object: 'usagePeriod' })
    counted.reverse()
    const periods: UsagePeriod[] = []
    for (const one of counted.slice((page - 1) * rowsPerPage, page * rowsPerPage)) {
      const figures = await readFigures(deps, trx, about, one)
      periods.push({ ...periodJson(about, one, figures), products: figures.products.map(productJson) })
    }
    const { start } = running.period
    return {
      periods,
      running: { start: start.toISOString(), end: running.until.toISOString() },
      page,
      rowsPerPage,
      rowsNumber: counted.length,
    }
  })
}

/** A period with its shares, read in one snapshot. */
interface SharedPeriod {
  about: About
  counted: CountedPeriod
  figures: PeriodFigures
  /** Of each product, in each part of the period. */
  shares: ReadonlyMap<MeteredProduct, PricedShare[][]>
  /** Of clusters, by their ids. */
  names: ReadonlyMap<string, string>
}

export async function showDays(deps: DaysDeps, userid: string, filter: UsageDaysFilter): Promise<UsageDays> {
  const period = await readShared(deps, userid, filter)
  const { about, counted, figures } = period
  const days = daysBetween({ start: counted.period.start, end: counted.until }, about.limits.zone)
  const asOf = figures.products.flatMap(({ read }) => read.readings).map(({ reading }) => reading.asOf.getTime())
  return {
    ...periodJson(about, counted, figures),
    asOf: new Date(Math.max(counted.period.start.getTime(), ...asOf)).toISOString(),
    periodSeconds: secondsBetween(counted.period.start, counted.period.end),
    days,
    products: figures.products.map((one) => ({ ...productJson(one), clusters: clustersJson(period, one, days) })),
  }
}

/** Usage of a cluster on a day under one plan; without `day` and `cluster` an amount that no reading explains. */
export interface UsageRow {
  period: { start: Date; until: Date }
  day: string | null
  clusterId: string | null
  cluster: string | null
  product: MeteredProduct
  /** 10^-6 units. */
  used: bigint
  above: bigint
  /** Major units, decimal text; null: more stops. */
  rate: string | null
  amount: Money
  invoices: string[]
}

/** The rows of a period by product, day and cluster; quantities and amounts sum to those of the products. */
export async function listRows(deps: DaysDeps, userid: string, filter: UsageDaysFilter): Promise<UsageRow[]> {
  const { about, counted, figures, shares, names } = await readShared(deps, userid, filter)
  const { zone } = about.limits
  const rows: UsageRow[] = []
  for (const one of figures.products) {
    const of = {
      period: { start: counted.period.start, until: counted.until },
      product: one.product,
      invoices: one.invoices.map(({ number }) => number),
    }
    const own = shares.get(one.product) ?? []
    for (const [part, pieces] of own.entries()) {
      const rate = one.read.item.parts[part]?.rate
      const together = Map.groupBy(pieces, ({ at, clusterId }) => `${dayInZone(new Date(at), zone)} ${clusterId}`)
      for (const [key, some] of together) {
        const [day = '', clusterId = ''] = key.split(' ')
        const sums = sumShares(some, one.amount.currency)
        if (sums.used === 0n && sums.amount.minor === 0) continue
        const cluster = names.get(clusterId) ?? clusterId
        rows.push({ ...of, day, clusterId, cluster, ...sums, rate: rate ? formatRate(rate) : null })
      }
    }
    const rest = subtractMoney(one.amount, sumShares(own.flat(), one.amount.currency).amount)
    if (rest.minor !== 0) {
      rows.push({ ...of, day: null, clusterId: null, cluster: null, used: 0n, above: 0n, rate: null, amount: rest })
    }
  }
  return rows
}

async function readShared(deps: DaysDeps, userid: string, { end }: UsageDaysFilter): Promise<SharedPeriod> {
  return await inSnapshot(deps.db, async (trx) => {
    const about = await readAbout(deps, trx, userid)
    const periods = await listPeriods(trx, about)
    const time = end === undefined ? undefined : new Date(end).getTime()
    const counted = time === undefined ? periods.at(-1) : periods.find(({ until }) => until.getTime() === time)
    if (!counted) return refuse('notFound', { object: 'usagePeriod' })
    const figures = await readFigures(deps, trx, about, counted)
    const shares = new Map<MeteredProduct, PricedShare[][]>()
    for (const one of figures.products) shares.set(one.product, await readShares(deps, trx, about, one))
    const ids = new Set([...shares.values()].flat(2).map(({ clusterId }) => clusterId))
    return { about, counted, figures, shares, names: await readNames(trx, [...ids], figures) }
  })
}

export async function readAbout({ accounts, clock }: DaysDeps, trx: Trx, userid: string): Promise<About> {
  const limits = await accounts.getLimits(trx, userid)
  return { userid, limits, at: accountNow(limits, clock.now()) }
}

/** The clusters' names: of a period that was billed as its bills have them, whatever was renamed since. */
async function readNames(
  trx: Trx,
  ids: readonly string[],
  { isBilled, products }: PeriodFigures,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await trx.selectFrom('owned_clusters').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  if (!isBilled) return names
  const bills = products.flatMap(({ invoices }) => invoices.map(({ invoiceId }) => invoiceId))
  const copies = await readCopies(trx, bills)
  for (const invoiceId of bills) {
    const shares = copies.get(invoiceId)?.lines.flatMap((line) => line.shares) ?? []
    for (const { clusterId, name } of shares) names.set(clusterId, name)
  }
  return names
}

function periodJson({ at }: About, { period, until }: CountedPeriod, { isBilled, planLevel }: PeriodFigures) {
  return {
    start: period.start.toISOString(),
    end: until.toISOString(),
    isRunning: at < until,
    isBilled,
    planLevel,
  }
}

function productJson({ product: productType, used, quota, overage, amount, invoices }: ProductFigures) {
  return {
    productType,
    used: toUnits(used),
    quota: toUnits(quota),
    overage: toUnits(overage),
    unitLabel: metering[productType].unitLabel,
    amount: amount.minor,
    currency: amount.currency,
    invoices,
  }
}

function clustersJson(
  { about, shares, names }: SharedPeriod,
  { product, amount: { currency } }: ProductFigures,
  days: readonly string[],
): UsageDays['products'][number]['clusters'] {
  const own = (shares.get(product) ?? []).flat()
  return clusterDays(own, { days, names, currency, zone: about.limits.zone }, ({ used }) => used)
}

/** Shares summed up by cluster, the most used first, with a figure for each of the days. */
export function clusterDays(
  shares: readonly PricedShare[],
  {
    days,
    names,
    currency,
    zone,
  }: { days: readonly string[]; names: ReadonlyMap<string, string>; currency: Money['currency']; zone: Zone },
  figureOf: (sums: { used: bigint; above: bigint }) => bigint,
): UsageDays['products'][number]['clusters'] {
  return [...Map.groupBy(shares, ({ clusterId }) => clusterId)]
    .map(([clusterId, own]) => ({ clusterId, own, sums: sumShares(own, currency) }))
    .filter(({ sums }) => sums.used !== 0n)
    .sort((a, b) => (a.sums.used === b.sums.used ? 0 : a.sums.used < b.sums.used ? 1 : -1))
    .map(({ clusterId, own, sums: { used, above, amount } }) => {
      const byDay = Map.groupBy(own, ({ at }) => dayInZone(new Date(at), zone))
      return {
        clusterId,
        name: names.get(clusterId) ?? clusterId,
        used: toUnits(used),
        overage: toUnits(above),
        amount: amount.minor,
        days: days.map((day) => toUnits(figureOf(sumShares(byDay.get(day) ?? [], currency)))),
      }
    })
}

function sumShares(shares: readonly PricedShare[], currency: Money['currency']) {
  return {
    used: shares.reduce((sum, { used }) => sum + used, 0n),
    above: shares.reduce((sum, { above }) => sum + above, 0n),
    amount: sumMoney([money(0, currency), ...shares.map(({ amount }) => amount)], currency),
  }
}

/** The days that the time between has a part of. */
export function daysBetween({ start, end }: Period, zone: Zone): string[] {
  const days: string[] = []
  const last = dayInZone(new Date(end.getTime() - 1), zone)
  for (let at = start.getTime(); ; at += dayMs) {
    const day = dayInZone(new Date(at), zone)
    if (day > last) return days
    days.push(day)
  }
}
