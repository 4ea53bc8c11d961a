import type { Trx } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { runLastCorrection, runUsage, type UsageBillDeps } from './bill-usage.ts'

/** Kinds of due items that are none any more once it has. */
export const settledKinds = [dueKinds.usage, dueKinds.usageCorrection, dueKinds.usageLimit]

/**
 * Bills the usage of an account that ends, whose plan has ended, for the last time: what is due of its periods now or
 * later, bills and corrections, is run now. Readings that come afterwards are neither billed nor credited. Waits for
 * meters and payments as each of them does, and is to be called again until nothing is due. `isWaived`: it had ended
 * before a restore brought it back, and nothing is billed.
 */
export async function settleUsage(
  deps: UsageBillDeps,
  trx: Trx,
  { userid, isWaived }: { userid: string; isWaived: boolean },
): Promise<void> {
  const limits = await deps.accounts.lockLimits(trx, userid)
  const at = accountNow(limits, deps.clock.now())
  const items = trx.selectFrom('due_items').where('userid', '=', userid).where('kind', 'in', settledKinds)
  for (const { kind, object, due_at: dueAt } of isWaived ? [] : await items.selectAll().orderBy('due_at').execute()) {
    if (kind === dueKinds.usageLimit) continue
    const run = kind === dueKinds.usage ? runUsage : runLastCorrection
    if ((await run(deps, trx, { userid, object, dueAt, at, limits })) !== 'done') return
  }
  await trx.deleteFrom('due_items').where('userid', '=', userid).where('kind', 'in', settledKinds).execute()
}
