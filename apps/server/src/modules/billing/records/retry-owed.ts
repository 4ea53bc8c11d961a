import type { Trx } from '../../../platform/db/index.ts'
import { enqueueAccount } from '../schedule/due-jobs.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { keepCouponCards } from './coupon-cards.ts'
import { listOpenDunnings } from './dunning-store.ts'

/**
 * A card or credit came at `at`, time of the account: renewals that are owed are tried once `trx` commits, with that
 * card, be it the default one or not. The caller holds the account's lock.
 */
export async function retryOwed(trx: Trx, userid: string, at: Date, cardId?: string): Promise<void> {
  await keepCouponCards(trx, userid)
  const owed = await listOpenDunnings(trx, userid)
  for (const invoiceId of owed) {
    const object = cardId === undefined ? invoiceId : `${invoiceId} ${cardId}`
    await scheduleDue(trx, { userid, kind: dueKinds.renewalTryNow, object, dueAt: at })
  }
  if (owed.length > 0) await enqueueAccount(trx, userid)
}
