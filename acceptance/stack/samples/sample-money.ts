/** The sample account's payments, balance and refunds. Amounts are minor units. */
import * as contract from '@atoll/contract/everything'
import type { Call, CallData } from '@atoll/contract/wire'
import { sampleClusters } from './sample-clusters.ts'

const day = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const seconds = (days: number) => Math.floor((Date.now() + days * day) / 1000)

/** Half of the month that was paid for every instance. */
export function refundOf({ instanceId, workers }: contract.Resource): contract.RefundEstimate {
  const item = (id: string, productName: string, amount: number) => ({
    instanceId: id,
    productName,
    amount,
    quantity: 1,
    proration: true,
    chargedFrom: seconds(-15),
    periodStart: seconds(0),
    periodEnd: seconds(15),
  })
  const items = [item(instanceId, 'Tide 4', 710), ...workers.map((worker) => item(worker.instanceId, 'Tide 2', 355))]
  return {
    amount: items.reduce((sum, { amount }) => sum + amount, 0),
    currency: 'usd',
    items,
    toPromo: 0,
    owed: [],
    fromBalance: 0,
    toCard: 0,
    validUntil: inDays(0.01),
    estimateToken: 'sample-refund',
  }
}

const usd = 'usd' as const

/** The cost of an order of the sample, as both languages write it. */
export const sampleAmount = '$6.48'

/** Of one size for a month: a coupon takes a tenth, and the balance pays first. */
export function estimateOf(amount: number): contract.Estimate {
  const discount = Math.round(amount / 10)
  const fromBalance = Math.min(472, amount - discount)
  return {
    amount: amount - discount,
    currency: usd,
    items: [
      {
        productName: 'Tide 2',
        amount,
        quantity: 1,
        proration: false,
        periodStart: seconds(0),
        periodEnd: seconds(30),
      },
    ],
    discount,
    coupon: 'REEF10',
    fromPromo: 0,
    fromBalance,
    toCard: amount - discount - fromBalance,
    rolledOver: 0,
    perMonth: amount - discount,
    nextAt: inDays(30),
    afterCoupon: null,
    validUntil: inDays(0.01),
    estimateToken: 'sample-estimate',
  }
}

const quotas = (size: number) => ({
  vCpu: 16 * size,
  storageGB: 100 * size,
  backupGB: 50 * size,
  trafficGB: 500 * size,
  cdnGB: 50 * size,
  bandwidthMbit: 100 * size,
  drills: size,
})
const plan = (planLevel: number, name: string, amount: number, rates: contract.PlanOffer['rates']) => ({
  planLevel,
  name,
  summary: `For ${planLevel + 1} people`,
  amount,
  quotas: quotas(planLevel + 1),
  rates,
  isCurrent: planLevel === 2,
  isSold: true,
})
const rates = { cloud_storage: '0.05', cloud_backup: '0.05', cloud_traffic: '0.02', cdn_traffic: '0.025' } as const

const samplePlans: CallData<typeof contract.planShow> = {
  planLevel: 2,
  currency: usd,
  plans: [
    plan(0, 'Free', 0, {}),
    plan(1, 'Starter', 300, rates),
    plan(2, 'Basic', 900, rates),
    plan(3, 'Pro', 2900, { ...rates, cloud_traffic: '0.015' }),
  ],
  pending: null,
}

const used = (productType: contract.MeteredProduct, value: number, quota: number, amount = 0): contract.PlanUsage => ({
  productType,
  used: value,
  quota,
  overage: Math.max(0, value - quota),
  amount,
  currency: usd,
  stop: null,
  networks: [],
  unitLabel: 'GB',
  state: value > quota ? 'charged' : 'within',
  asOf: inDays(0),
})

const productsOfFree = ['cloud_storage', 'cloud_backup', 'cloud_traffic', 'cdn_traffic'] as const

/** Of an account that has bought nothing: it is on Free, and nothing is to come. */
const nothingBought: [Call, unknown][] = [
  [
    contract.planShow,
    {
      ...samplePlans,
      planLevel: 0,
      plans: samplePlans.plans.map((offer) => ({ ...offer, isCurrent: offer.planLevel === 0 })),
    },
  ],
  [contract.planUsage, productsOfFree.map((product) => used(product, 0, 100))],
  [contract.upcomingInvoice, { upcoming: null }],
  [contract.forecast, { documents: [], mails: [] }],
]

/** Answers to the calls about plans and usage. */
export function sampleMoney(isNew: boolean): [Call, unknown][] {
  return [
    [contract.getEstimatedAmount, () => estimateOf(720)],
    [contract.planShow, samplePlans],
    [contract.subscriptionPeriod, { periodStart: seconds(-13), periodEnd: seconds(17) }],
    [
      contract.planUsage,
      [
        used('cloud_storage', 146, 300),
        used('cloud_backup', 162.4, 150, 62),
        {
          ...used('cloud_traffic', 1260.5, 1500),
          networks: [
            { network: 'FrpNetwork', used: 1260.5 },
            { network: 'CloudflareNetwork', used: 84.2 },
          ],
          today: { used: 6.6, clusters: [{ clusterId: sampleClusters[0]?.clusterId ?? '', used: 6.2 }] },
        },
        used('cdn_traffic', 0, 150),
      ],
    ],
    [
      contract.planChangeEstimate,
      (fields: URLSearchParams) => ({
        ...estimateOf(1097),
        planLevel: Number(fields.get('planLevel')),
        effectiveAt: inDays(17),
        periodEnd: inDays(17),
        included: [
          { productType: 'cloud_traffic', untilEnd: 3419.4, after: 5000, unitLabel: 'GB', staysStopped: false },
          { productType: 'cdn_traffic', untilEnd: 342, after: 500, unitLabel: 'GB', staysStopped: false },
        ],
      }),
    ],
    [
      contract.planChange,
      (fields: URLSearchParams) => ({
        paid: true,
        planLevel: Number(fields.get('planLevel')),
        effectiveAt: inDays(0),
        amount: 0,
      }),
    ],
    [contract.noticeSeen, {}],
    [contract.spendCapSet, { amount: null }],
    [
      contract.couponRedeem,
      { coupon: { code: 'REEF10', percentOff: 10, duration: 'forever', appliesTo: ['instance'] } },
    ],
    [contract.paymentMethodUpdate, { url: 'http://atoll.test/pay/sandbox/card' }],
    [contract.paymentMethodDefault, {}],
    [contract.paymentMethodDelete, {}],
    ...sampleTime(),
    ...(isNew ? nothingBought : []),
  ]
}

const bill = (days: number, amount: number, kind: 'renewal' | 'usage' = 'renewal') => ({
  at: inDays(days),
  kind,
  amount,
  currency: usd,
  discount: 144,
  coupon: 'REEF10',
  items: [
    {
      productName: kind === 'usage' ? 'Backup' : 'Basic',
      amount: 900,
      quantity: 1,
      proration: false,
      periodStart: seconds(days),
      periodEnd: seconds(days + 30),
    },
    {
      productName: 'Tide 4',
      amount: amount + 144 - 900,
      quantity: 1,
      proration: false,
      periodStart: seconds(days),
      periodEnd: seconds(days + 30),
    },
  ],
  fromPromo: 0,
  fromBalance: 320,
  toCard: amount - 320,
  rolledOver: 0,
})

/** Answers to the calls about future charges. */
function sampleTime(): [Call, unknown][] {
  const paid = { state: 'paid' as const, closedAt: inDays(17) }
  const months = Array.from({ length: 12 }, (_, month) => month)
  return [
    [contract.upcomingInvoice, { upcoming: bill(17, 2340) }],
    [
      contract.forecast,
      {
        documents: months.flatMap((month) => [
          { ...bill(17 + 30 * month, 2340), ...paid },
          { ...bill(17 + 30 * month, 1100 + 20 * month, 'usage'), ...paid },
        ]),
        mails: months.flatMap((month) => [
          { at: inDays(9 + 30 * month), kind: 'usage' as const, to: 'lena@lagoon.example' },
          { at: inDays(12 + 30 * month), kind: 'cap' as const, to: 'lena@lagoon.example' },
          { at: inDays(14 + 30 * month), kind: 'renewalSoon' as const, to: 'lena@lagoon.example' },
          { at: inDays(17 + 30 * month), kind: 'receipt' as const, to: 'lena@lagoon.example' },
        ]),
      },
    ],
    [contract.timeTravel, { now: inDays(30), arrived: true, stoppedBefore: [] }],
  ]
}
