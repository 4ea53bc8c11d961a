/** The deployment's money as staff see it, of one currency: figures by month, what is owed, what is open. */
import type { Currency } from '@atoll/money'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/index.ts'
import { type DaySum, sumMonths } from '../../ledger/index.ts'
import { waitingRefund } from '../records/card-refund-store.ts'
import { dueMinor } from '../records/documents/invoice-due.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import '../records/documents/document-tables.ts'
import '../records/dunning-store.ts'

export interface MonthFigures {
  /** `2027-01` */
  month: string
  /** Issued net of discounts, credit notes and write-offs; of products before discounts. */
  revenue: number
  instance: number
  plan: number
  usage: number
  discount: number
  collected: number
  refunded: number
  writtenOff: number
}

function addUp(month: string, sums: readonly DaySum[]): MonthFigures {
  const of = (isMeant: (sum: DaySum) => boolean) =>
    sums.filter((sum) => sum.month === month && isMeant(sum)).reduce((all, { minor }) => all + minor, 0)
  const account = (name: string) => of((sum) => sum.account === name)
  const gateway = (...kinds: string[]) => of((sum) => sum.account.startsWith('gateway:') && kinds.includes(sum.kind))
  const [instance, plan, usage] = ['instance', 'plan', 'usage'].map((name) => -account(`revenue:${name}`))
  const [discount, writtenOff] = [account('discount'), account('writeoff')]
  const gross = (instance ?? 0) + (plan ?? 0) + (usage ?? 0)
  return {
    month,
    revenue: gross - discount - writtenOff,
    discount,
    writtenOff,
    instance: instance ?? 0,
    plan: plan ?? 0,
    usage: usage ?? 0,
    collected: gateway('pay', 'collect', 'late_capture'),
    refunded: -gateway('card_refund', 'refund_returned') || 0,
  }
}

const dayText = (at: Date) => at.toISOString().slice(0, 10)

/** Twelve months, the last one until now, and what had come in of the month before by the same day. */
export async function readMonths(
  db: Db,
  currency: Currency,
  now: Date,
): Promise<{ months: MonthFigures[]; before: number }> {
  // The calendar of the currency's accounts.
  const here = new Date(now.getTime() + (currency === 'cny' ? 8 * 3_600_000 : 0))
  const monthAt = (ago: number) => new Date(Date.UTC(here.getUTCFullYear(), here.getUTCMonth() - ago, 1))
  const until = dayText(new Date(here.getTime() + 86_400_000))
  const sums = await sumMonths(db, { currency, since: dayText(monthAt(11)), until })
  const months = Array.from({ length: 12 }, (_, at) => addUp(dayText(monthAt(11 - at)).slice(0, 7), sums))
  const last = monthAt(1)
  // The 31st is compared with the whole of a shorter month.
  const sameDay = new Date(Math.min(last.getTime() + here.getUTCDate() * 86_400_000, monthAt(0).getTime()))
  const part = await sumMonths(db, { currency, since: dayText(last), until: dayText(sameDay) })
  return { months, before: addUp(dayText(last).slice(0, 7), part).revenue }
}

/** Bills that a try to collect has failed for, the oldest first. */
export async function listOverdue(db: Db, currency: Currency) {
  return await db
    .selectFrom('invoices')
    .innerJoin('dunnings', 'dunnings.invoice_id', 'invoices.id')
    .leftJoin('due_items', (join) =>
      join
        .onRef('due_items.userid', '=', 'invoices.userid')
        .on('due_items.kind', '=', dueKinds.graceOver)
        .onRef('due_items.object', '=', 'invoices.id'),
    )
    .select(['invoices.id', 'invoices.userid', 'invoices.number', 'invoices.issued_at', 'dunnings.tries'])
    .select(['dunnings.past_due_at', 'due_items.due_at as destroy_at', dueMinor.as('due')])
    .where('invoices.state', '=', 'open')
    .where('invoices.currency', '=', currency)
    .where('dunnings.tries', '>', 0)
    .orderBy('invoices.issued_at')
    .orderBy('invoices.id')
    .execute()
}

/** Payments whose outcome the gateway does not tell, the oldest first. */
export async function listUnknown(db: Db, currency: Currency) {
  return await db
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['payments.id', 'payments.userid', 'invoices.number', 'payments.created_at', 'payments.unanswered'])
    .select(['payments.gateway_ref', 'payments.card_minor'])
    .where('payments.state', '=', 'unknown')
    .where('payments.currency', '=', currency)
    .orderBy('payments.created_at')
    .limit(100)
    .execute()
}

/**
 * Refunds that did not reach their card, first those that wait for their gateway, and how payments with a card ended
 * since a moment.
 */
export async function readFailures(db: Db, currency: Currency, { since, now }: { since: Date; now: Date }) {
  const ended = await db
    .selectFrom('payments')
    .select(({ fn }) => ['decline_code as code', fn.countAll<number>().as('count')])
    .where('method_id', 'is not', null)
    .where('ended_at', '>', since)
    .where('currency', '=', currency)
    .where('state', 'in', ['succeeded', 'declined'])
    .groupBy('decline_code')
    .orderBy('count', 'desc')
    .execute()
  const refunds = await db
    .selectFrom('card_refunds')
    .leftJoin('payments', 'payments.id', 'card_refunds.payment_id')
    .leftJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .select(['card_refunds.id', 'card_refunds.userid', 'card_refunds.amount_minor', 'card_refunds.ended_at'])
    .select(['card_refunds.decline_code', 'invoices.number'])
    .where(({ or, and, eb }) =>
      or([
        waitingRefund(now),
        and([
          eb('card_refunds.state', 'in', ['declined', 'returned']),
          eb('card_refunds.ended_at', '>', sql<Date>`${since}::timestamptz - interval '30 days'`),
        ]),
      ]),
    )
    .where('card_refunds.currency', '=', currency)
    .orderBy('card_refunds.ended_at', (order) => order.desc().nullsFirst())
    .limit(50)
    .execute()
  return { ended, refunds }
}

/** Invoices that were given up since a moment. */
export async function countWrittenOff(db: Db, currency: Currency, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invoices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'uncollectible')
    .where('currency', '=', currency)
    .where('closed_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}
