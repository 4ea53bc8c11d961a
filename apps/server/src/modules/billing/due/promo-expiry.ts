import { money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import { takeLeft } from '../records/documents/promo-store.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'

/** Ends what is left of a grant of promotional credit. */
export async function runPromoExpiry(trx: Trx, { userid, object: grantId, at, limits }: Due): Promise<DueOutcome> {
  const left = await takeLeft(trx, grantId)
  if (left === 0) return 'done'
  const facts = { amount: money(left, limits.currency) }
  const key = `${grantId} lapsed ${at.toISOString()}`
  await postToLedger(trx, { userid, at, kind: 'lapse', facts, document: grantId, key })
  await publishChange(trx, { account: userid, topic: 'billing', id: grantId })
  return 'done'
}
