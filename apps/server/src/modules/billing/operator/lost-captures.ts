/**
 * Job billing.captures: keeps charges of the gateway that have no payment here, for an operator to adopt or send back.
 * Safe to repeat: what is found is written over, and what is known by now is forgotten.
 */
import type { Currency } from '@atoll/money'
import { money } from '@atoll/money'
import { type Selectable, sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findDid, lockOperated } from '../../accounts/index.ts'
import { findCustomerOwner, type PaymentGateway } from '../../payments/index.ts'
import { orderCardRefund } from '../pay/order-card-refund.ts'
import { listUnknownCaptures } from '../records/capture-store.ts'
import { findPayment } from '../records/documents/payment-store.ts'
import { isEnd, paymentTransitions } from '../records/documents/states.ts'
import { type AdoptDeps, takeOver } from './adopt-capture.ts'

interface LostCapturesTable {
  gateway: string
  ref: string
  payment_id: string
  account_id: string | null
  currency: Currency
  amount_minor: number
  document: string | null
  number: string | null
  taken_at: Date
  found_at: Date
}
export type LostCapture = Selectable<LostCapturesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    lost_captures: LostCapturesTable
  }
}

/** It has a payment by now: a late answer brought it, or an operator adopted it. */
const isKnown = sql<boolean>`(
  exists (select from payments where payments.gateway = lost_captures.gateway and gateway_ref = lost_captures.ref) or
  exists (select from adopted_captures adopted
    where adopted.gateway = lost_captures.gateway and gateway_ref = lost_captures.ref))`

/** Newest pages that are looked through each time. */
const mostPages = 10

export function lostCaptures(deps: AdoptDeps): Job {
  const { db, clock, gateway } = deps
  return defineTimedJob({
    name: 'billing.captures',
    lane: 'gateway',
    waits: 'careful',
    cron: '41 * * * *',
    async run({ log }) {
      await db.deleteFrom('lost_captures').where(isKnown).execute()
      let after: string | null = null
      for (let pages = 0; pages < mostPages; pages += 1) {
        const page: Awaited<ReturnType<PaymentGateway['listCaptures']>> = await gateway.listCaptures({ after })
        if (page.kind === 'unknown') return log.warn({ why: page.why }, 'the gateway does not list what it took')
        for (const capture of await listUnknownCaptures(db, gateway.name, page.captures)) {
          const own = await findPayment(db, capture.paymentId)
          // Its answer is on its way.
          if (own && !isEnd(paymentTransitions, own.state)) continue
          const { customer, ref, paymentId, amount, pays, at } = capture
          const owner = customer === null ? undefined : await findCustomerOwner(db, gateway.name, customer)
          // The card may be gone; a payment of that id names the customer.
          const account_id = owner ?? own?.userid ?? null
          await db
            .insertInto('lost_captures')
            .values({
              gateway: gateway.name,
              ref,
              payment_id: paymentId,
              account_id,
              found_at: clock.now(),
              taken_at: at,
              currency: amount.currency,
              amount_minor: amount.minor,
              document: pays?.document ?? null,
              number: pays?.number ?? null,
            })
            .onConflict((conflict) => conflict.columns(['gateway', 'ref']).doUpdateSet({ account_id }))
            .execute()
        }
        after = page.next
        if (after === null) break
      }
    },
  })
}

/** Charges that have no payment here yet, the newest first. */
export async function listLostCaptures(db: Db): Promise<LostCapture[]> {
  return await db
    .selectFrom('lost_captures')
    .selectAll()
    .where(sql<boolean>`not ${isKnown}`)
    .orderBy('taken_at', 'desc')
    .orderBy('ref')
    .limit(100)
    .execute()
}

/** The capture and whose it would be; refuses another account than that whose card it was, and another currency. */
export async function getAdoptable(
  trx: Trx,
  { ref, accountId }: { ref: string; accountId: string },
): Promise<{ lost: LostCapture; userid: string }> {
  if ((await findDid(trx, accountId)) === undefined) refuse('notFound', { object: 'account' })
  const { currency } = await lockOperated(trx, accountId)
  const found = trx.selectFrom('lost_captures').selectAll().where('ref', '=', ref).where(sql<boolean>`not ${isKnown}`)
  const lost = (await found.executeTakeFirst()) ?? refuse('notFound', { object: 'payment' })
  if (lost.account_id !== null && lost.account_id !== accountId) refuse('captureOfOther')
  if (currency !== lost.currency) refuse('captureCurrency')
  return { lost, userid: accountId }
}

/** Makes it the credit of who paid it, with which what is owed is tried; or sends all of it back to the card. */
export async function adoptLost(
  deps: AdoptDeps,
  trx: Trx,
  { ref, accountId, goesBack }: { ref: string; accountId: string; goesBack: boolean },
): Promise<void> {
  const { lost, userid } = await getAdoptable(trx, { ref, accountId })
  const { now } = await lockOperated(trx, userid)
  const { payment_id: paymentId, number, document, currency, amount_minor: minor } = lost
  const amount = money(minor, currency)
  const pays = document !== null && number !== null ? { document, number, period: '' } : null
  const capture = { paymentId, ref, amount, customer: null, pays, at: lost.taken_at }
  const own = trx.deleteFrom('lost_captures').where('gateway', '=', lost.gateway).where('ref', '=', ref)
  // Another operator gives it to another account at this moment.
  if ((await own.executeTakeFirst()).numDeletedRows === 0n) refuse('notFound', { object: 'payment' })
  const adopted = await takeOver(deps, trx, userid, capture)
  if (!goesBack) return
  const ordered = await orderCardRefund(
    trx,
    { userid, paymentId: null, captureId: adopted.id },
    { amount, at: now(deps.clock) },
  )
  if (typeof ordered !== 'string') refuse('captureSpent')
}
