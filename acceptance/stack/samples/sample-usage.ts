/** Usage of the sample account by cluster and by day, in this period and in those before. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleClusters } from './sample-clusters.ts'

const dayMs = 24 * 60 * 60_000
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)
const today = Date.parse(`${isoDay(Date.now())}T00:00:00Z`)
/** Days before today, to the last ms of thirty days of 24 hours each. */
const startOf = (periodsAgo: number) => today - (13 + 30 * periodsAgo) * dayMs + 9 * 60 * 60_000

interface Used {
  productType: contract.MeteredProduct
  used: number
  quota: number
  /** Minor units. */
  amount?: number
  invoice?: string
}

function productOf({ productType, used, quota, amount = 0, invoice }: Used) {
  return {
    productType,
    used,
    quota,
    overage: Math.max(0, used - quota),
    unitLabel: 'GB',
    amount,
    currency: 'usd' as const,
    invoices: invoice ? [{ invoiceId: `iv_sample${invoice}`, number: `ATL-7K3QD-${invoice}` }] : [],
  }
}

const runningUse: Used[] = [
  { productType: 'cloud_storage', used: 63.3, quota: 300 },
  { productType: 'cloud_backup', used: 162.4, quota: 150, amount: 62 },
  { productType: 'cloud_traffic', used: 1260.5, quota: 1500 },
  { productType: 'cdn_traffic', used: 0, quota: 150 },
]
const pastUse = (traffic: Used): Used[] => [
  { productType: 'cloud_storage', used: 142.8, quota: 300 },
  { productType: 'cloud_backup', used: 98.1, quota: 150 },
  traffic,
  { productType: 'cdn_traffic', used: 71.5, quota: 150 },
]
const past = [
  pastUse({ productType: 'cloud_traffic', used: 1920, quota: 1500, amount: 840, invoice: '0034' }),
  pastUse({ productType: 'cloud_traffic', used: 1630, quota: 1500, amount: 260, invoice: '0031' }),
  pastUse({ productType: 'cloud_traffic', used: 874, quota: 1500 }),
  pastUse({ productType: 'cloud_traffic', used: 702, quota: 1500 }),
]

function periodOf(ago: number) {
  const [start, end] = [ago, ago - 1].map((one) => new Date(startOf(one)).toISOString()) as [string, string] // of two
  return { start, end, isRunning: ago === 0, isBilled: ago > 0, planLevel: 2 }
}

/** Two clusters share it, four parts to one, more on some days than on others. */
function daysOf(ago: number): CallData<typeof contract.usageDays> {
  const period = periodOf(ago)
  const [start, end] = [Date.parse(period.start), Date.parse(period.end)]
  const days: string[] = []
  for (let at = Date.parse(`${isoDay(start)}T00:00:00Z`); at < end; at += dayMs) days.push(isoDay(at))
  const weights = days.map((day, at) => (Date.parse(day) > Date.now() ? 0 : 20 + ((at * 7) % 19)))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const products = (ago === 0 ? runningUse : (past[ago - 1] ?? [])).map((one) => {
    const product = productOf(one)
    const clusters = [0.8, 0.2].flatMap((share, at) => {
      const cluster = sampleClusters[at]
      if (!cluster || one.used === 0) return []
      const { clusterId, name } = cluster
      const figures = weights.map((weight) => (one.used * share * weight) / all)
      const amount = at === 0 ? product.amount - Math.round(product.amount * 0.2) : Math.round(product.amount * 0.2)
      return [{ clusterId, name, used: one.used * share, overage: product.overage * share, amount, days: figures }]
    })
    return { ...product, clusters }
  })
  const asOf = new Date(Math.min(Date.now(), end)).toISOString()
  return { ...period, asOf, periodSeconds: (end - start) / 1000, days, products }
}

/** The part above the quota came in the last eleven days, four parts to one. */
function lineOf(): CallData<typeof contract.usageLine> {
  const { start, end } = periodOf(1)
  const used = 1420
  const product = productOf({ productType: 'cloud_traffic', used, quota: 1000, amount: 840 })
  const last = Date.parse(`${isoDay(Date.parse(end) - 1)}T00:00:00Z`)
  const days = Array.from({ length: 11 }, (_, at) => isoDay(last - (10 - at) * dayMs))
  const weights = days.map((_, at) => 20 + ((at * 7) % 19))
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const clusters = [0.8, 0.2].flatMap((share, at) => {
    const cluster = sampleClusters[at]
    if (!cluster) return []
    const [overage, amount] = [420 * share, Math.round(840 * share)]
    const figures = weights.map((weight) => (overage * weight) / all)
    return [{ clusterId: cluster.clusterId, name: cluster.name, used: used * share, overage, amount, days: figures }]
  })
  const { productType, unitLabel, amount, currency, overage } = product
  return {
    productType,
    start,
    end,
    periodSeconds: (Date.parse(end) - Date.parse(start)) / 1000,
    listedEnd: end,
    unitLabel,
    used,
    overage,
    amount,
    currency,
    days,
    clusters,
    usedUpAt: `${days[0]}T13:00:00.000Z`,
  }
}

export function sampleUsage(): [Call, unknown][] {
  const { start, end } = periodOf(0)
  return [
    [contract.usageLine, lineOf()],
    [
      contract.usagePeriods,
      {
        periods: past.map((used, at) => ({ ...periodOf(at + 1), products: used.map(productOf) })),
        running: { start, end },
        page: 1,
        rowsPerPage: 12,
        rowsNumber: past.length,
      },
    ],
    [
      contract.usageDays,
      (fields: URLSearchParams) => {
        const ago = past.findIndex((_, at) => periodOf(at + 1).end === fields.get('end'))
        return daysOf(ago + 1)
      },
    ],
  ]
}
