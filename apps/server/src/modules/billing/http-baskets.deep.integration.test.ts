/**
 * Random baskets as people order them, over HTTP: what the estimate shows, the order answers and the invoice says is
 * the same to the cent, and what PostgreSQL works out of the raw facts. ATOLL_HTTP_BASKETS says how many; the suite's
 * take some 15 s.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  couponRedeem,
  customerInfo,
  getEstimatedAmount,
  invoicesDetail,
  planChange,
  planChangeEstimate,
} from '@atoll/contract/billing'
import { createCluster, createWorker } from '@atoll/contract/clusters'
import type { CallData } from '@atoll/contract/wire'
import { periodAt, periodIndexAt, type Zone } from '@atoll/money'
import type { ApiClient } from '@atoll/testkit'
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock.ts'
import { startWholeServer, type WholeServer } from '../../testing/whole-server.ts'
import { creditAccount, verifyDocuments } from './index.ts'
import type { DrawnBasket } from './testing/any-basket.ts'

const count = Number(process.env['ATOLL_HTTP_BASKETS'] ?? 150)
const perAccount = 25
const atOnce = 4
const prices = { usd: [1, 99, 333, 720, 1441, 99_999], cny: [7, 499, 2333, 4900, 9901, 700_003] }
const planPrices = { usd: [0, 333, 901, 2900], cny: [0, 2003, 6001, 19_800] }
const quotas = { vCpu: 64, storageGB: 50, backupGB: 10, trafficGB: 100, cdnGB: 10, bandwidthMbit: 100 }
const coupons = [
  { code: 'REEF13', percentOff: 13, amountOff: null, appliesTo: ['instance'] as const },
  { code: 'FIVE', percentOff: null, amountOff: { usd: 501, cny: 3501 }, appliesTo: ['instance', 'plan'] as const },
]

/** Sizes and plans at prices that seldom divide. */
const catalogue = () =>
  JSON.stringify({
    clouds: [
      {
        cloudName: 'bay',
        driver: 'process',
        title: 'Bay',
        regions: [{ regionId: 'bay', title: 'Bay', place: 'Bay' }],
        offerings: prices.usd.map((usd, size) => ({
          name: `bay-${size}`,
          title: `Bay ${size}`,
          cpuCoreCount: 1,
          memoryMiB: 512,
          diskMiB: 1024,
          price: { usd, cny: prices.cny[size] },
        })),
      },
    ],
    plans: planPrices.usd.map((usd, level) => ({
      level,
      quotas,
      ...(level > 0 && { price: { usd, cny: planPrices.cny[level] } }),
    })),
    coupons: coupons.map(({ percentOff, amountOff, ...coupon }) => ({
      ...coupon,
      duration: 'forever',
      // A coupon may leave nothing to pay here, and these accounts have no card.
      needsCard: false,
      ...(percentOff !== null && { percentOff }),
      ...(amountOff !== null && { amountOff }),
    })),
    maxWorkers: 64,
    versions: [{ version: '1.0.0', title: 'One', summary: 'One', image: 'agent', steps: ['prepare', 'handover'] }],
  })

interface Step {
  what: 'cluster' | 'worker' | 'plan'
  size: number
  quantity: number
  /** Seconds that pass before it. */
  wait: number
  /** Minor units that are given before it. */
  credit: number
  promo: number
}
interface Life {
  currency: 'usd' | 'cny'
  zone: Zone
  hasCard: boolean
  coupon: number | null
  steps: Step[]
}
const anyGift = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 9000 }) },
)
const anyLife: fc.Arbitrary<Life> = fc.record({
  currency: fc.constantFrom('usd', 'cny'),
  zone: fc.constantFrom('UTC', 'UTC+8'),
  hasCard: fc.boolean(),
  coupon: fc.option(fc.nat({ max: coupons.length - 1 })),
  steps: fc.array(
    fc.record({
      what: fc.constantFrom('cluster', 'worker', 'worker', 'plan'),
      size: fc.nat({ max: prices.usd.length - 1 }),
      quantity: fc.integer({ min: 1, max: 3 }),
      wait: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 20 * 86_400 })),
      credit: anyGift,
      promo: anyGift,
    }),
    { minLength: perAccount, maxLength: perAccount },
  ),
})

const folder = mkdtempSync(join(tmpdir(), 'atoll-baskets-'))
const [functions = '', question = ''] = readFileSync(
  new URL('testing/pricing-oracle.sql', import.meta.url),
  'utf8',
).split(/(?=^with baskets)/m)
let server: WholeServer
let oracle: pg.Client

beforeAll(async () => {
  const file = join(folder, 'catalog.yaml')
  writeFileSync(file, catalogue())
  // Without jobs nothing is charged, renewed or started: each step finds what the one before left.
  server = await startWholeServer({ settings: { ATOLL_CATALOG: file }, hasJobs: false })
  const { rows } = await server.database.pool.query<{ name: string }>('select current_database() as name')
  oracle = new pg.Client({ ...server.database.pool.options, database: rows[0]?.name ?? '' })
  await oracle.connect()
  await oracle.query(functions)
  await oracle.query('create temp table oracle_baskets (id integer primary key, drawn jsonb not null)')
})
afterAll(async () => {
  await oracle?.end()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

test(`${count} baskets cost the same in estimate, order, invoice and PostgreSQL`, async () => {
  const histories = fc.sample(anyLife, { numRuns: Math.ceil(count / perAccount), seed: 7 })
  const seen: Seen[] = []
  const left = histories.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [place, life] of left) seen.push(...(await live(place, life)))
    }),
  )
  expect(seen.length).toBeGreaterThanOrEqual(count * 0.9)
  await oracle.query(
    'insert into oracle_baskets select place, drawn from jsonb_array_elements($1) with ordinality as b (drawn, place)',
    [JSON.stringify(seen.map(({ drawn }) => drawn))],
  )
  const { rows } = await oracle.query<Answer>(question)
  seen.forEach(({ drawn, invoice }, index) => {
    const { id: _, ...answer } = rows[index] ?? fail()
    const { fromPromo, fromBalance, toCard, collected, rolledOver } = invoice.payment ?? fail()
    expect(answer, JSON.stringify(drawn)).toEqual({
      items: invoice.items.map(({ amount, discount }) => [amount, discount]),
      total: invoice.amount,
      code: invoice.coupon ?? '',
      split: { promo: fromPromo, balance: fromBalance, card: toCard, collected, rolled: rolledOver },
    })
  })
  // Not all of one kind: both currencies, discounts, parts of months, rests that are rolled over.
  const invoices = seen.map(({ invoice }) => invoice)
  expect(new Set(invoices.map(({ currency }) => currency)).size).toBe(2)
  for (const some of [
    invoices.filter(({ discount }) => discount > 0),
    invoices.filter(({ items }) => items.some(({ proration }) => proration)),
    invoices.filter(({ payment }) => (payment?.rolledOver ?? 0) > 0),
    invoices.filter(({ kind }) => kind === 'plan'),
  ]) {
    expect(some.length).toBeGreaterThan(count / 50)
  }
  expect(await verifyDocuments(server.database.db)).toBeUndefined()
})

type Invoice = CallData<typeof invoicesDetail>
interface Seen {
  drawn: DrawnBasket
  invoice: Invoice
}
interface Answer {
  id: number
  items: [number, number][]
  total: number
  code: string
  split: Record<'promo' | 'balance' | 'card' | 'collected' | 'rolled', number>
}

/** One account's orders, one after the other; those that cost something. */
async function live(place: number, { currency, zone, hasCard, coupon, steps }: Life): Promise<Seen[]> {
  const { api, userid } = await server.createPerson(`basket${place}@atoll.test`)
  const { pool, db } = server.database
  await pool.query('update accounts set currency = $2, zone = $3, vcpu_quota = 100000 where account_id = $1', [
    userid,
    currency,
    zone,
  ])
  const redeemed = coupon === null ? undefined : coupons[coupon]
  if (redeemed) await api.ask(couponRedeem, { code: redeemed.code })
  if (hasCard) {
    await pool.query(
      `insert into payment_methods (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year, is_default, created_at)
        values ($1, $2, 'sandbox', 'c', $1, 'visa', '4242', 12, 2040, true, now())`,
      [`pm_basket${place}`, userid],
    )
  }
  const give = (minor: number, kind: 'cash' | 'promo') =>
    creditAccount(
      { db, clock: systemClock, keepUsageCovered: async () => undefined },
      { who: userid, amount: (minor / 100).toFixed(2), kind },
    )
  const found: Seen[] = []
  let cluster: string | undefined
  let level = 0
  for (const { what, size, quantity, wait, credit, promo } of steps) {
    if (wait > 0) {
      await pool.query('update accounts set clock_offset_ms = clock_offset_ms + $2 where account_id = $1', [
        userid,
        wait * 1000,
      ])
    }
    if (credit > 0) await give(credit, 'cash')
    if (promo > 0) await give(promo, 'promo')
    const order =
      what === 'plan' && level < 3
        ? planOrder(api, level + 1)
        : instanceOrder(api, { size, quantity, cluster: what === 'worker' ? cluster : undefined })
    let shown = await order.estimate()
    // A plan that waits holds up the next one; a card would be charged, which nobody does here.
    if (shown.toCard > 0 && (hasCard || what === 'plan')) {
      await give(hasCard ? Math.max(1, shown.toCard - size * 17) : shown.toCard, 'cash')
      shown = await order.estimate()
      if (hasCard && shown.toCard > 0) await give(shown.toCard, 'cash')
      shown = await order.estimate()
    }
    const before = await api.ask(customerInfo, {})
    const levelBefore = level
    const placed = await order.place(shown.estimateToken)
    expect(placed.amount).toBe(shown.amount)
    if (what === 'plan' && placed.paid) level = Math.min(3, level + 1)
    if (placed.clusterId !== undefined && cluster === undefined) {
      cluster = placed.clusterId
      await pool.query("update clusters set status = 'running' where id = $1", [cluster])
      await pool.query("update instances set status = 'running', has_run = true where cluster_id = $1", [cluster])
    }
    if (placed.invoiceId === undefined) continue
    const invoice = await api.ask(invoicesDetail, { invoiceId: placed.invoiceId })
    const { payment } = invoice
    expect({ ...payment, amount: invoice.amount, discount: invoice.discount }).toMatchObject({
      amount: shown.amount,
      discount: shown.discount,
      fromPromo: shown.fromPromo,
      fromBalance: shown.fromBalance,
      toCard: shown.toCard,
      rolledOver: shown.rolledOver,
    })
    expect(invoice.items.reduce((sum, item) => sum + item.amount, 0)).toBe(
      shown.items.reduce((sum, item) => sum + item.amount, 0),
    )
    found.push({ invoice, drawn: await readDrawn(invoice, { zone, before, hasCard, redeemed, level: levelBefore }) })
  }
  return found
}

interface Placed {
  amount: number
  paid: boolean
  invoiceId?: string | undefined
  clusterId?: string | undefined
}
interface Asked {
  estimate(): Promise<CallData<typeof getEstimatedAmount>>
  place(estimateToken: string): Promise<Placed>
}

function planOrder(api: ApiClient, planLevel: number): Asked {
  return {
    estimate: () => api.ask(planChangeEstimate, { planLevel }),
    place: (estimateToken) => api.ask(planChange, { planLevel, estimateToken }),
  }
}

function instanceOrder(
  api: ApiClient,
  { size, quantity, cluster }: { size: number; quantity: number; cluster: string | undefined },
): Asked {
  const offering = `bay-${size}`
  if (cluster !== undefined) {
    const asked = { clusterId: cluster, offering, quantity }
    return {
      estimate: () => api.ask(getEstimatedAmount, { kind: 'worker', ...asked }),
      place: (estimateToken) => api.ask(createWorker, { ...asked, estimateToken }),
    }
  }
  const chosen = { clusterType: 'Cloud', cloudName: 'bay', regionId: 'bay', offering, version: '1.0.0' } as const
  return {
    estimate: () => api.ask(getEstimatedAmount, { kind: 'cluster', offering }),
    place: (estimateToken) => api.ask(createCluster, { ...chosen, estimateToken }),
  }
}

/** The raw facts of an order as the oracle takes them: prices of the catalogue, the anchor, and what there was. */
async function readDrawn(
  { invoiceId, items, createAt, currency, kind }: Invoice,
  of: {
    zone: Zone
    before: CallData<typeof customerInfo>
    hasCard: boolean
    redeemed: (typeof coupons)[number] | undefined
    /** Of the plan before. */
    level: number
  },
): Promise<DrawnBasket> {
  const { zone, before, hasCard, redeemed, level } = of
  const { rows } = await server.database.pool.query<{ anchor: Date }>(
    'select anchor from subscriptions where id = $1',
    [items[0]?.subscriptionId],
  )
  const anchor = rows[0]?.anchor ?? fail()
  const at = new Date(createAt)
  const month = periodIndexAt(anchor, at, zone)
  const place = { sub: items[0]?.subscriptionId ?? fail(), anchor: anchor.toISOString(), month }
  const takes = await readTakes(invoiceId, zone)
  return {
    currency: before.currency,
    zone,
    at: at.toISOString(),
    usageCap: null,
    items: items.map(({ priceInfo }) => {
      const price = priceInfo.amount
      if (kind !== 'plan') return { ...place, kind: 'instance' as const, price }
      const instead = level === 0 ? null : (planPrices[currency][level] ?? fail())
      return { ...place, kind: 'plan' as const, price, instead }
    }),
    coupons: redeemed
      ? [
          {
            code: redeemed.code,
            percentOff: redeemed.percentOff,
            endsAt: null,
            amountOff: redeemed.amountOff?.[currency] ?? null,
            appliesTo: [...redeemed.appliesTo],
            // Nothing ends here: an amount stays with what it was used on first.
            isOnce: false,
            months: null,
            begins: null,
            boundTo: takes[0]?.sub ?? null,
            takes,
          },
        ]
      : [],
    promo: before.promoBalance,
    cash: before.cashBalance,
    mayRoll: hasCard,
  }
}

/** Discounts of the account's coupon on invoices before this one. */
async function readTakes(invoiceId: string, zone: Zone): Promise<DrawnBasket['coupons'][number]['takes']> {
  const { rows } = await server.database.pool.query<{ sub: string; anchor: Date; at: Date; minor: number }>(
    `select sub.id as sub, sub.anchor, line.period_start as at, line.discount_minor::int as minor
      from invoices invoice join invoice_items line on line.invoice_id = invoice.id
        join subscription_items item on item.id = line.item_id join subscriptions sub on sub.id = item.subscription_id
      where invoice.userid = (select userid from invoices where id = $1)
        and invoice.number < (select number from invoices where id = $1) and invoice.state <> 'void' and line.discount_minor > 0
      order by invoice.number, line.line`,
    [invoiceId],
  )
  return rows.map(({ sub, anchor, at, minor }) => {
    const { start, end } = periodAt(anchor, periodIndexAt(anchor, at, zone), zone)
    return { sub, starts: start.toISOString(), ends: end.toISOString(), minor }
  })
}

function fail(): never {
  throw new Error('Something is missing that is always there.')
}
