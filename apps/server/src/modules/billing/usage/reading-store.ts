import { Explain, type MeteredProduct } from '@atoll/contract/billing'
import { type Currency, type Money, money, type Period, sumMoney } from '@atoll/money'
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import type { BilledLine } from '../pricing/correct-period.ts'
import type { InvoiceState } from '../records/documents/states.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import type { PlanPeriod } from './credit-store.ts'
import type { ReadUsage } from './read-usage.ts'

interface UsageReadingsTable {
  id: string
  userid: string
  subscription_id: string
  product_type: MeteredProduct
  from_at: Date
  to_at: Date
  /** 10^-6 units, decimal text. */
  used: string
  unit_label: string
  as_of: Date
  complete: boolean
  /** JSON. */
  parts: string
  digest: string
  recorded_at: Date
}

declare module '../../../platform/db/index.ts' {
  interface Tables {
    usage_readings: UsageReadingsTable
  }
}

/** Keeps what a bill is made of. */
export async function insertReadings(
  trx: Trx,
  { userid, subscriptionId, product }: { userid: string; subscriptionId: string; product: MeteredProduct },
  readings: ReadUsage['readings'],
  recordedAt: Date,
): Promise<void> {
  if (readings.length === 0) return
  await trx
    .insertInto('usage_readings')
    .values(
      readings.map(({ part, reading }) => ({
        id: newId('ur'),
        userid,
        subscription_id: subscriptionId,
        product_type: product,
        from_at: part.start,
        to_at: part.end,
        used: String(reading.used),
        unit_label: reading.unitLabel,
        as_of: reading.asOf,
        complete: reading.complete,
        digest: reading.digest,
        recorded_at: recordedAt,
        parts: JSON.stringify(reading.parts.map((one) => ({ ...one, used: String(one.used) }))),
      })),
    )
    .execute()
}

/** The amount billed for a subscription's usage in a period, before any discount and net of credit notes. */
export interface BilledUsage {
  of(product: MeteredProduct): Money
  total: Money
  /** The number of the next part of a product's bill beside its bill as a whole, which is 0. */
  nextPart(product: MeteredProduct): number
  /** In the order in which they were billed. */
  lines: (BilledLine & { state: InvoiceState })[]
}

/** The amounts billed of each of these periods. */
export async function readBilled(
  db: Db,
  currency: Currency,
  periods: readonly PlanPeriod[],
): Promise<(period: PlanPeriod) => BilledUsage> {
  const rows = periods.length === 0 ? [] : await selectBilled(db, periods).execute()
  const keyOf = ({ subscriptionId, start }: PlanPeriod) => `${subscriptionId} ${start.toISOString()}`
  const known = Map.groupBy(rows, (row) => keyOf({ subscriptionId: row.subscription_id, start: row.period_start }))
  return (period) => billedOf(known.get(keyOf(period)) ?? [], currency)
}

type BilledRow = Awaited<ReturnType<ReturnType<typeof selectBilled>['execute']>>[number]

function selectBilled(db: Db, periods: readonly PlanPeriod[]) {
  return db
    .selectFrom('invoice_items as line')
    .innerJoin('subscription_items', 'subscription_items.id', 'line.item_id')
    .innerJoin('invoices', 'invoices.id', 'line.invoice_id')
    .select(['line.invoice_id', 'line.line', 'product_type', 'part', 'amount_minor', 'line.discount_minor', 'explain'])
    .select(['invoices.state', 'subscription_id', 'period_start'])
    .select(
      sql<{ amount: number; discount: number }>`(
        select json_build_object('amount', coalesce(sum(amount_minor), 0), 'discount', coalesce(sum(discount_minor), 0))
        from credit_note_items back where back.invoice_id = line.invoice_id and back.line = line.line)`.as('back'),
    )
    .where(
      'subscription_id',
      'in',
      periods.map(({ subscriptionId }) => subscriptionId),
    )
    .where(
      'period_start',
      'in',
      periods.map(({ start }) => start),
    )
    .where('revenue', '=', 'usage')
    .orderBy('issued_at')
    .orderBy('recorded_at')
    .orderBy('line.invoice_id')
    .orderBy('line.line')
}

function billedOf(rows: readonly BilledRow[], currency: Currency): BilledUsage {
  const lines = rows.map((row) => {
    const { discount: coupon } = Explain.parse(JSON.parse(row.explain))
    return {
      invoiceId: row.invoice_id,
      line: row.line,
      key: row.product_type,
      state: row.state,
      amount: money(row.amount_minor - row.back.amount, currency),
      discount: money(row.discount_minor - row.back.discount, currency),
      ...(coupon && { coupon }),
    }
  })
  const sumOf = (some: typeof lines) =>
    sumMoney(
      some.map(({ amount }) => amount),
      currency,
    )
  const parts = Map.groupBy(rows, (row) => row.product_type)
  return {
    of: (product) => sumOf(lines.filter(({ key }) => key === product)),
    total: sumOf(lines),
    nextPart: (product) => Math.max(0, ...(parts.get(product) ?? []).map(({ part }) => part)) + 1,
    lines,
  }
}

/** Whether the bill of the whole period has been made. */
export async function isBilledWhole(
  db: Db,
  { userid, subscriptionId, period }: { userid: string; subscriptionId: string; period: Pick<Period, 'start'> },
): Promise<boolean> {
  const waiting = await db
    .selectFrom('due_items')
    .select('object')
    .where('userid', '=', userid)
    .where('kind', '=', dueKinds.usage)
    .where('object', '=', `${subscriptionId} ${period.start.toISOString()}`)
    .executeTakeFirst()
  return waiting === undefined
}
