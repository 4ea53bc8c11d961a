import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { lapseGrants } from '../records/documents/promo-store.ts'
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
  if (await lapseGrants(trx, { userid, grantId, currency: limits.currency, at }))
    await publishChange(trx, { account: userid, topic: 'billing', id: grantId })
  return 'done'
}
