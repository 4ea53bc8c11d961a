import type { Db } from '../../../platform/db/index.ts'
import { findCard, type PaymentGateway } from '../../payments/index.ts'
import type { CardRefundRow } from '../card-refunds/card-refund-store.ts'
import type { PaymentRow } from './document-tables.ts'
import { sumTakenFromCard } from './payment-store.ts'
import type { BadDocument } from './verify-documents.ts'

/** How many were asked about; those of a gateway that is not in use, and those under way, are not. */
export interface AskedCaptures {
  payments: number
  refunds: number
  /** Of another gateway. */
  elsewhere: number
}

/** The gateway gave no clear answer: nothing can be said. */
export class GatewaySilent extends Error {}

type Asked = Pick<PaymentGateway, 'name' | 'read' | 'find' | 'readRefund' | 'listCaptures'>
const batch = 200

/**
 * Holds the ledger to the gateway: of each payment that has ended it took what was posted, and each refund to a card
 * came to what is written; asked for all accounts, it also took nothing that no payment here stands for. Asks about
 * one after the other, by our own ids, in any driver. Answers the first that is otherwise; throws `GatewaySilent`.
 * Reads only.
 */
export async function verifyCaptures(
  db: Db,
  gateway: Asked,
  userid?: string | undefined,
): Promise<{ bad: BadDocument } | { bad: undefined; asked: AskedCaptures }> {
  const stray = userid === undefined ? await findStray(db, gateway) : undefined
  if (stray) return { bad: stray }
  const asked: AskedCaptures = { payments: 0, refunds: 0, elsewhere: 0 }
  for await (const payment of listSent(db, userid)) {
    if (payment.gateway !== gateway.name) asked.elsewhere += 1
    else {
      asked.payments += 1
      const taken = await askTaken(db, gateway, payment)
      // Read afterwards: what was taken late may have been posted meanwhile.
      const posted = await sumTakenFromCard(db, payment)
      const problem = `${gateway.name} took ${taken} for it, and ${posted} was posted`
      if (taken !== posted) return { bad: { table: 'payments', id: payment.id, problem } }
    }
  }
  for (const refund of await listRefunds(db, gateway.name, userid)) {
    asked.refunds += 1
    const made = await askRefund(gateway, refund)
    const problem = `it is ${refund.state}, and ${made} at ${gateway.name}`
    if ((made === 'done') !== (refund.state === 'done'))
      return { bad: { table: 'card_refunds', id: refund.id, problem } }
  }
  return { bad: undefined, asked }
}

/** The first capture that carries an id of ours and has no row, as after a restore, or the second of one payment. */
async function findStray(db: Db, gateway: Asked): Promise<BadDocument | undefined> {
  const seen = new Map<string, string>()
  for (let after: string | null = null, goesOn = true; goesOn; ) {
    const page: Awaited<ReturnType<Asked['listCaptures']>> = await gateway.listCaptures(after)
    if (page.kind === 'unknown') throw new GatewaySilent(`${gateway.name} does not say what it took: ${page.why}`)
    const rows = await listKnown(db, gateway, page.captures)
    for (const { paymentId: id, ref, amount } of page.captures) {
      const took = `${gateway.name} took ${amount.minor} ${amount.currency} for it (${ref})`
      const before = seen.get(id)
      if (!rows.has(id)) return { table: 'payments', id, problem: `${took}, and there is no such payment` }
      if (before !== undefined) return { table: 'payments', id, problem: `${took} a second time, after ${before}` }
      seen.set(id, ref)
    }
    after = page.next
    goesOn = after !== null
  }
  return undefined
}

async function listKnown(
  db: Db,
  { name }: Pick<Asked, 'name'>,
  captures: readonly { paymentId: string }[],
): Promise<Set<string>> {
  const ids = captures.map(({ paymentId }) => paymentId)
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('payments').select('id').where('gateway', '=', name).where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Payments with a card that have ended; one that a card was never asked for is absent at the gateway. */
async function* listSent(db: Db, userid: string | undefined): AsyncGenerator<PaymentRow> {
  for (let after = ''; ; ) {
    let query = db.selectFrom('payments').selectAll().where('method_id', 'is not', null).where('id', '>', after)
    if (userid !== undefined) query = query.where('userid', '=', userid)
    const rows = await query
      .where('state', 'in', ['succeeded', 'declined', 'canceled'])
      .orderBy('id')
      .limit(batch)
      .execute()
    yield* rows
    after = rows.at(-1)?.id ?? ''
    if (rows.length < batch) return
  }
}

async function askTaken(db: Db, gateway: Asked, { id, method_id, gateway_ref: ref }: PaymentRow): Promise<number> {
  const method = method_id === null ? undefined : await findCard(db, method_id)
  if (!method) throw new Error(`The card of ${id} is not known any more.`)
  const about = { paymentId: id, card: { customer: method.customer_ref, card: method.card_ref } }
  const outcome = ref === null ? await gateway.find(about) : await gateway.read({ ...about, ref })
  if (outcome.kind === 'unknown')
    throw new GatewaySilent(`${gateway.name} does not say what it took for ${id}: ${outcome.why}`)
  return outcome.kind === 'done' ? outcome.captured.minor : 0
}

type SentRefund = Pick<CardRefundRow, 'id' | 'state'> & { paymentRef: string | null }

async function listRefunds(db: Db, gateway: string, userid: string | undefined): Promise<SentRefund[]> {
  const query = db
    .selectFrom('card_refunds')
    .innerJoin('payments', 'payments.id', 'payment_id')
    .select(['card_refunds.id', 'card_refunds.state', 'payments.gateway_ref as paymentRef'])
    .where('payments.gateway', '=', gateway)
    .where('card_refunds.state', '<>', 'pending')
    .orderBy('card_refunds.id')
  return await (userid === undefined ? query : query.where('card_refunds.userid', '=', userid)).execute()
}

async function askRefund(gateway: Asked, { id, paymentRef }: SentRefund): Promise<string> {
  if (paymentRef === null) return 'absent'
  const outcome = await gateway.readRefund({ refundId: id, paymentRef })
  if (outcome.kind === 'unknown')
    throw new GatewaySilent(`${gateway.name} does not say what became of ${id}: ${outcome.why}`)
  return outcome.kind
}
