import type { Db, Trx } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import { billToDate } from '../usage/bill-usage.ts'
import { type CurrentUsageDeps, readCurrentUsage } from '../usage/current-usage.ts'
import { runRenewalTry } from './collect.ts'
import type { RenewalDeps } from './renewal-deps.ts'

/**
 * An account's last card is about to go: what was used on its credit and is not billed yet is billed first, and its
 * first try made with that card. Under the account's lock, before the card is removed.
 */
export async function billBeforeLastCard(
  deps: RenewalDeps & CurrentUsageDeps,
  trx: Trx,
  userid: string,
): Promise<void> {
  const limits = await deps.accounts.lockLimits(trx, userid)
  const at = accountNow(limits, deps.clock.now())
  const { unbilled, means } = await readCurrentUsage(deps, trx, userid)
  // Without a plan that is charged for, what is left of the one before may wait for its bill.
  const isBilled = means !== undefined && unbilled.minor === 0
  for (const { id: object } of isBilled ? [] : await billToDate(deps, trx, { userid, at, limits })) {
    const outcome = await runRenewalTry(deps, trx, { userid, object, dueAt: at, at, limits })
    if (typeof outcome === 'object' && 'next' in outcome) {
      await scheduleDue(trx, { userid, kind: dueKinds.renewalTry, object, dueAt: outcome.next })
    }
  }
}

/** Whether a payment that is under way may still charge the card. */
export async function isCharging(db: Db, cardId: string): Promise<boolean> {
  const row = await db
    .selectFrom('payments')
    .select('id')
    .where('method_id', '=', cardId)
    .where('state', 'not in', ['succeeded', 'declined', 'canceled'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
