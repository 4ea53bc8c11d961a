import { type Money, money, subtractMoney } from '@atoll/money'
import type { Clock } from '../../../platform/clock.ts'
import type { Sealer } from '../../../platform/crypto.ts'
import type { Db } from '../../../platform/db/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { getPrices, type PriceTerms } from '../../catalog/index.ts'
import { priceOwn } from '../pay/bills/refund.ts'
import { listRefundable, type RefundOrder } from '../pay/credit/refundable-lines.ts'
import { estimateInstant } from '../pricing/estimate-token.ts'
import { type PricedRefund, type RefundedItem, sumRefunds } from '../pricing/price-refund.ts'
import type { InvoiceItemRow } from '../records/documents/document-tables.ts'
import { getDue } from '../records/documents/invoice-due.ts'
import { findRefundBasis } from './refund-basis.ts'
import { signRefundQuote } from './refund-token.ts'

export interface RefundDeps {
  db: Db
  clock: Clock
  sealer: Pick<Sealer, 'derive' | 'accepts'>
  accounts: Pick<Accounts, 'getLimits'>
  /** Those of a cluster of this very account that are not gone; undefined for any other cluster. */
  listOwnInstances(db: Db, userid: string, clusterId: string): Promise<RefundOrder['instances'] | undefined>
}

export interface QuotedRefund {
  at: Date
  refund: PricedRefund
  /** One a line that was charged, with what was sold and what goes back of it. */
  lines: { line: InvoiceItemRow & { instanceId: string }; terms: PriceTerms; back: RefundedItem }[]
  owed: { invoiceId: string; number: string; amount: Money; stillToPay: Money }[]
  estimateToken: string
}

/** The refund for ending a cluster, or one of its workers, now, with the token to end it at that refund. */
export async function estimateRefundOf(
  { db, clock, sealer, accounts, listOwnInstances }: RefundDeps,
  userid: string,
  request: { clusterId: string; instanceId?: string | undefined },
): Promise<QuotedRefund> {
  const { clusterId, instanceId = null } = request
  const all = await listOwnInstances(db, userid, clusterId)
  if (!all) return refuse('notFound', { object: 'cluster' })
  const instances = instanceId === null ? all : all.filter((one) => one.instanceId === instanceId)
  if (instances.length === 0) return refuse('notFound', { object: 'instance' })
  const limits = await accounts.getLimits(db, userid)
  const { currency } = limits
  const at = estimateInstant(accountNow(limits, clock.now()))
  const order = { userid, instances, at }
  // Before the figures: what changes in between makes the token fail, never the figures wrong.
  const basis = await findRefundBasis(db, order)
  const found = await listRefundable(db, order)
  const refunds: PricedRefund[] = []
  for (const own of found) refunds.push(await priceOwn(db, own, at))
  const prices = await getPrices(
    db,
    found.flatMap(({ lines }) => lines),
  )
  const owed: QuotedRefund['owed'] = []
  const lines: QuotedRefund['lines'] = []
  for (const [index, { invoice, lines: own }] of found.entries()) {
    const refund = refunds[index]
    for (const [place, line] of own.entries()) {
      const [terms, back] = [prices.get(line.price_id), refund?.items[place]]
      if (terms && back) lines.push({ line, terms, back })
    }
    if (invoice.state === 'paid') continue
    const amount = await getDue(db, invoice)
    const stillToPay = subtractMoney(amount, refund?.offOwed ?? money(0, currency))
    owed.push({ invoiceId: invoice.id, number: invoice.number, amount, stillToPay })
  }
  const estimateToken = signRefundQuote(sealer, { userid, clusterId, instanceId, at: at.toISOString(), basis })
  const refund = sumRefunds(
    refunds.flatMap(({ items }) => items),
    currency,
  )
  return { at, refund, lines, owed, estimateToken }
}
