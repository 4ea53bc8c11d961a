import type { Currency } from '@atoll/money'
import type { Selectable } from 'kysely'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import type { Capture } from '../../payments/index.ts'
import { retryOwed } from './retry-owed.ts'

interface AdoptedCapturesTable {
  /** Our own id that it carries, `pay_…`. */
  id: string
  userid: string
  gateway: string
  gateway_ref: string
  document: string | null
  number: string | null
  currency: Currency
  amount_minor: number
  adopted_at: Date
}
export type AdoptedCapture = Selectable<AdoptedCapturesTable>

declare module '../../../platform/db/index.ts' {
  interface Tables {
    adopted_captures: AdoptedCapturesTable
  }
}

/** Those of `captures` that neither a payment nor an adopted capture stands for, by the gateway's ref. */
export async function listUnknownCaptures(db: Db, gateway: string, captures: readonly Capture[]): Promise<Capture[]> {
  const refs = captures.map(({ ref }) => ref)
  if (refs.length === 0) return []
  const known = await db
    .selectFrom('payments')
    .select('gateway_ref')
    .where('gateway', '=', gateway)
    .where('gateway_ref', 'in', refs)
    .unionAll(
      db
        .selectFrom('adopted_captures')
        .select('gateway_ref')
        .where('gateway', '=', gateway)
        .where('gateway_ref', 'in', refs),
    )
    .execute()
  const isKnown = new Set(known.map(({ gateway_ref }) => gateway_ref))
  return captures.filter(({ ref }) => !isKnown.has(ref))
}

/** Whether another payment than `but`, or an adopted capture, stands for this charge already. */
export async function isRefKnown(
  db: Db,
  { gateway, ref, but }: { gateway: string; ref: string; but: string },
): Promise<boolean> {
  const own = db.selectFrom('payments').select('id').where('gateway', '=', gateway).where('gateway_ref', '=', ref)
  return (await own.where('id', '<>', but).executeTakeFirst()) !== undefined || (await isAdopted(db, gateway, ref))
}

/**
 * Takes a capture over of which no payment is here: it becomes the account's credit, with which what is owed is tried.
 * Under the account's lock; `at` is time of the account. Throws for one that was taken over before.
 */
export async function keepCapture(
  trx: Trx,
  { userid, gateway, capture, at }: { userid: string; gateway: string; capture: Capture; at: Date },
): Promise<AdoptedCapture> {
  const { ref, paymentId, amount, pays } = capture
  // Our own id may be a payment's whose capture was another one.
  const isTaken = await trx.selectFrom('payments').select('id').where('id', '=', paymentId).executeTakeFirst()
  const id = isTaken ? `${paymentId}_${ref}` : paymentId
  const row = await trx
    .insertInto('adopted_captures')
    .values({
      id,
      userid,
      gateway,
      gateway_ref: ref,
      adopted_at: at,
      document: pays?.document ?? null,
      number: pays?.number ?? null,
      currency: amount.currency,
      amount_minor: amount.minor,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const facts = { driver: gateway, amount }
  await postToLedger(trx, { userid, at, kind: 'late_capture', facts, document: id, key: `${id} late` })
  await retryOwed(trx, userid, at)
  await publishChange(trx, { account: userid, topic: 'billing', id })
  return row
}

/** Whether a capture was taken over as credit: it is not the payment's whose id it carries. */
export async function isAdopted(db: Db, gateway: string, ref: string): Promise<boolean> {
  const row = db.selectFrom('adopted_captures').select('id').where('gateway', '=', gateway)
  return (await row.where('gateway_ref', '=', ref).executeTakeFirst()) !== undefined
}

/** By our own id or the gateway's. */
export async function findAdoptedCapture(db: Db, id: string): Promise<AdoptedCapture | undefined> {
  return await db
    .selectFrom('adopted_captures')
    .selectAll()
    .where(({ or, eb }) => or([eb('id', '=', id), eb('gateway_ref', '=', id)]))
    .executeTakeFirst()
}
