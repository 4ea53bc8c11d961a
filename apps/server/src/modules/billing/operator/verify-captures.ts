import type { Money } from '@atoll/money'
import type { Db } from '../../../platform/db/index.ts'
import { type Capture, findCard, listCustomers } from '../../payments/index.ts'
import { isAdopted } from '../records/capture-store.ts'
import type { CardRefundRow } from '../records/card-refund-store.ts'
import type { PaymentRow } from '../records/documents/document-tables.ts'
import { sumTakenFromCard } from '../records/documents/payment-store.ts'
import { type AskedGateway, GatewaySilent } from './asked-gateway.ts'
import type { BadDocument } from './verify-documents.ts'
import { verifyMovements } from './verify-movements.ts'

/** How many were asked about; those of a gateway that is not in use, and those under way, are not. */
export interface AskedCaptures {
  payments: number
  refunds: number
  disputes: number
  /** Of another gateway. */
  elsewhere: number
}

const batch = 200

/**
 * Compares the ledger with the gateway: each ended payment was captured with the posted amount, each refund to a card
 * ended as recorded, every capture is known here, and the gateway's refunds and disputes are recorded as they are
 * there. Works with any driver, for one account or all. Returns every difference; throws `GatewaySilent`. Reads only.
 */
export async function verifyCaptures(
  db: Db,
  gateway: AskedGateway,
  userid?: string | undefined,
): Promise<{ differences: BadDocument[]; asked: AskedCaptures }> {
  const differences = await findStrays(db, gateway, userid)
  const asked: AskedCaptures = { payments: 0, refunds: 0, disputes: 0, elsewhere: 0 }
  for await (const payment of listSent(db, userid)) {
    if (payment.gateway !== gateway.name) asked.elsewhere += 1
    else {
      asked.payments += 1
      const taken = await askTaken(db, gateway, payment)
      // Read afterwards: what was taken late may have been posted meanwhile.
      const posted = await sumTakenFromCard(db, payment)
      const problem = `${gateway.name} took ${taken} for it, and ${posted} was posted`
      if (taken !== posted) differences.push({ table: 'payments', id: payment.id, problem })
    }
  }
  for (const refund of await listRefunds(db, gateway.name, userid)) {
    asked.refunds += 1
    const made = await askRefund(gateway, refund)
    const problem = `it is ${refund.state}, and ${made} at ${gateway.name}`
    if ((made === 'done') !== (refund.state === 'done'))
      differences.push({ table: 'card_refunds', id: refund.id, problem })
  }
  const moved = await verifyMovements(db, gateway, userid)
  return { differences: [...differences, ...moved.differences], asked: { ...asked, disputes: moved.disputes } }
}

/**
 * Captures that carry one of our ids and are neither a payment nor adopted, as after a restore, or that are a second
 * capture of one payment.
 */
async function findStrays(db: Db, gateway: AskedGateway, userid: string | undefined): Promise<BadDocument[]> {
  const found: BadDocument[] = []
  const seen = new Map<string, string>()
  for await (const captures of listCaptures(db, gateway, userid)) {
    const known = await listKnown(db, gateway, captures)
    for (const { paymentId: id, ref, amount, pays } of captures) {
      const adopted = known.adopted.get(ref)
      const took = `${gateway.name} took ${words(amount)} for it (${ref})`
      if (adopted !== undefined) {
        if (adopted !== amount.minor)
          found.push({ table: 'adopted_captures', id, problem: `${took}, and ${adopted} was adopted` })
        continue
      }
      const before = seen.get(id)
      const of = pays ? ` (it says that it paid ${pays.number})` : ''
      const bad = (problem: string) => found.push({ table: 'payments', id, problem: `${took}${problem}` })
      if (!known.payments.has(id)) bad(`, and there is no such payment${of}`)
      else if (before !== undefined) bad(` a second time, after ${before}`)
      else seen.set(id, ref)
    }
  }
  return found
}

/** Page after page of what the gateway took: of the account's customers there, or of all. */
async function* listCaptures(db: Db, gateway: AskedGateway, userid: string | undefined): AsyncGenerator<Capture[]> {
  const customers = userid === undefined ? [undefined] : await listCustomers(db, userid, gateway.name)
  for (const customer of customers) {
    for (let after: string | null = null, goesOn = true; goesOn; ) {
      const page: Awaited<ReturnType<AskedGateway['listCaptures']>> = await gateway.listCaptures({
        after,
        ...(customer !== undefined && { customer }),
      })
      if (page.kind === 'unknown') throw new GatewaySilent(`${gateway.name} does not say what it took: ${page.why}`)
      yield page.captures
      after = page.next
      goesOn = after !== null
    }
  }
}

/** Ids under which payments here were captured, and amounts of adopted captures by the gateway's ref. */
async function listKnown(
  db: Db,
  { name }: Pick<AskedGateway, 'name'>,
  captures: readonly Capture[],
): Promise<{ payments: Set<string>; adopted: Map<string, number> }> {
  if (captures.length === 0) return { payments: new Set(), adopted: new Map() }
  const ids = captures.map(({ paymentId }) => paymentId)
  const refs = captures.map(({ ref }) => ref)
  const payments = await db
    .selectFrom('payments')
    .select(({ fn }) => fn.coalesce('captured_as', 'id').as('id'))
    .where('gateway', '=', name)
    .where(({ or, eb }) => or([eb('id', 'in', ids), eb('captured_as', 'in', ids)]))
    .execute()
  const adopted = await db
    .selectFrom('adopted_captures')
    .select(['gateway_ref', 'amount_minor'])
    .where('gateway', '=', name)
    .where('gateway_ref', 'in', refs)
    .execute()
  return {
    payments: new Set(payments.map(({ id }) => id)),
    adopted: new Map(adopted.map((one) => [one.gateway_ref, one.amount_minor])),
  }
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

async function askTaken(db: Db, gateway: AskedGateway, payment: PaymentRow): Promise<number> {
  const { id, method_id, gateway_ref: ref, captured_as } = payment
  const method = method_id === null ? undefined : await findCard(db, method_id)
  if (!method) throw new Error(`The card of ${id} is not known any more.`)
  const about = { paymentId: captured_as ?? id, card: { customer: method.customer_ref, card: method.card_ref } }
  const outcome = ref === null ? await gateway.find(about) : await gateway.read({ ...about, ref })
  if (outcome.kind === 'unknown')
    throw new GatewaySilent(`${gateway.name} does not say what it took for ${id}: ${outcome.why}`)
  if (outcome.kind !== 'done' || (await isAdopted(db, gateway.name, outcome.ref))) return 0
  return outcome.captured.minor
}

type SentRefund = Pick<CardRefundRow, 'id' | 'state'> & { paymentRef: string | null }

/** Refunds that we requested; those made in a dashboard are among the movements. */
async function listRefunds(db: Db, gateway: string, userid: string | undefined): Promise<SentRefund[]> {
  const query = db
    .selectFrom('card_refunds')
    .leftJoin('payments', 'payments.id', 'payment_id')
    .leftJoin('adopted_captures', 'adopted_captures.id', 'capture_id')
    .select(['card_refunds.id', 'card_refunds.state'])
    .select(({ fn }) => fn.coalesce('payments.gateway_ref', 'adopted_captures.gateway_ref').as('paymentRef'))
    .where(({ fn }) => fn.coalesce('payments.gateway', 'adopted_captures.gateway'), '=', gateway)
    .where('card_refunds.state', '<>', 'pending')
    .where('is_foreign', '=', false)
    .orderBy('card_refunds.id')
  return await (userid === undefined ? query : query.where('card_refunds.userid', '=', userid)).execute()
}

async function askRefund(gateway: AskedGateway, { id, paymentRef }: SentRefund): Promise<string> {
  if (paymentRef === null) return 'absent'
  const outcome = await gateway.readRefund({ refundId: id, paymentRef })
  if (outcome.kind === 'unknown')
    throw new GatewaySilent(`${gateway.name} does not say what became of ${id}: ${outcome.why}`)
  return outcome.kind
}

function words({ minor, currency }: Money): string {
  return `${minor} ${currency}`
}
