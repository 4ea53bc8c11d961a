import type { Trx } from '../../../platform/db/index.ts'
import { accountNow } from '../../accounts/index.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { type DueRow, dropDue } from '../schedule/due-store.ts'
import { runLastCorrection, runUsage, type UsageBillDeps } from './bill-usage.ts'

/** Kinds of due items that the last bill of usage ends. */
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
  // A bill that was late schedules the next, of a period in which the plan may have ended.
  for (let due = await findBegun(trx, userid, at); due && !isWaived; due = await findBegun(trx, userid, at)) {
    const run = due.kind === dueKinds.usage ? runUsage : runLastCorrection
    if ((await run(deps, trx, { userid, object: due.object, dueAt: due.due_at, at, limits })) !== 'done') return
    await dropDue(trx, due)
  }
  await trx.deleteFrom('due_items').where('userid', '=', userid).where('kind', 'in', settledKinds).execute()
}

/** The first bill or correction of a period that has begun. */
async function findBegun(trx: Trx, userid: string, at: Date): Promise<DueRow | undefined> {
  const kinds = [dueKinds.usage, dueKinds.usageCorrection]
  const items = trx.selectFrom('due_items').selectAll().where('userid', '=', userid).where('kind', 'in', kinds)
  // The period's start is the second word of the object.
  return (await items.orderBy('due_at').execute()).find(({ object }) => new Date(object.split(' ')[1] ?? '') <= at)
}
