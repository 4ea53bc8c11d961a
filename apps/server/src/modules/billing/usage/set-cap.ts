import { currencySymbols } from '@atoll/contract/wire'
import { formatMajorUnits, type Money } from '@atoll/money'
import type { Caller } from '../../../platform/caller.ts'
import type { Db, Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { once } from '../../../platform/requests/index.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import { insertCap } from './cap-store.ts'
import { type CurrentUsageDeps, readCurrentUsage } from './current-usage.ts'

export type CapDeps = CurrentUsageDeps & {
  db: Db
  accounts: Pick<Accounts, 'lockLimits' | 'getLimits'>
  /** Called when the limit of the cost of usage changes: whether usage goes on must be checked again. */
  onCapSet(trx: Trx, userid: string): Promise<void>
}

/**
 * Sets what usage may cost in a period of the plan, from this one on; without an amount there is no cap. Refuses less
 * than the running period costs already: that is used, and will be charged.
 */
export async function setCap(
  deps: CapDeps,
  caller: Caller,
  request: { amount?: number | undefined; requestId?: string | undefined },
): Promise<{ amount: number | null }> {
  const { userid } = caller
  return await once(deps, { owner: userid, call: 'spendCapSet', body: request }, async (trx) => {
    const limits = await deps.accounts.lockLimits(trx, userid)
    const { cap, amount: used } = await readCurrentUsage(deps, trx, userid)
    const amount = request.amount ?? null
    if (amount !== null && amount < used.minor) refuse('capBelowUsage', { amount: wordsOf(used) })
    await insertCap(trx, userid, amount, accountNow(limits, deps.clock.now()))
    await deps.onCapSet(trx, userid)
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'plan.setCap',
      object: { kind: 'plan', id: userid, owner: userid },
      before: factsOf(cap ?? null),
      after: factsOf(amount === null ? null : { minor: amount, currency: limits.currency }),
    })
    await publishChange(trx, { account: userid, topic: 'billing', id: userid })
    return { amount }
  })
}

function wordsOf(amount: Money): string {
  return `${currencySymbols[amount.currency]}${formatMajorUnits(amount)}`
}

/** The form of amounts in the audit log, which its readers format. */
function factsOf(cap: Money | null): { spendCap: string | null; currency?: string } {
  return cap === null ? { spendCap: null } : { spendCap: formatMajorUnits(cap), currency: cap.currency }
}
