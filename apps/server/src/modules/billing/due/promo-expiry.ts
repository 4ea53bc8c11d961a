import { money } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { postToLedger } from '../../ledger/index.ts'
import { takeLeft } from '../records/documents/promo-store.ts'
import type { Due, DueOutcome } from '../schedule/due-runner.ts'
import type { CurrentUsageDeps } from '../usage/current-usage.ts'
import { keepUsageCovered } from '../usage/keep-usage-covered.ts'

/** Ends what is left of a grant of promotional credit; what was used while it covered that stays owed. */
export async function runPromoExpiry(
  deps: CurrentUsageDeps,
  trx: Trx,
  { userid, object: grantId, dueAt, at, limits }: Due,
): Promise<DueOutcome> {
  await keepUsageCovered(deps, trx, userid, new Date(dueAt.getTime() - 1))
  const left = await takeLeft(trx, grantId)
  if (left === 0) return 'done'
  const facts = { amount: money(left, limits.currency) }
  const key = `${grantId} lapsed ${at.toISOString()}`
  await postToLedger(trx, { userid, at, kind: 'lapse', facts, document: grantId, key })
  await publishChange(trx, { account: userid, topic: 'billing', id: grantId })
  return 'done'
}
