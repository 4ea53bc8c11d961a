import type { timeTravel } from '@atoll/contract/billing'
import type { CallData } from '@atoll/contract/wire'
import { addMonths } from '@atoll/money'
import type { Caller } from '../../../platform/caller.ts'
import { awaitChange, type ChangeFeed } from '../../../platform/events/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import { type Accounts, accountNow } from '../../accounts/index.ts'
import { recordAudit } from '../../audit/index.ts'
import type { PaymentGateway } from '../../payments/index.ts'
import { findTravel, saveTravel, type TravelRow } from '../records/travel-store.ts'
import type { DueDeps } from '../schedule/due-runner.ts'
import { enqueueTravel } from './travel-job.ts'

export interface TravelDeps extends DueDeps {
  feed: ChangeFeed
  gateway: Pick<PaymentGateway, 'name'>
  accounts: DueDeps['accounts'] & Pick<Accounts, 'getLimits'>
}

/** How far a clock moves at a time. */
const mostMonths = 24
/** How long the call waits for the clock to arrive, ms. */
const arrivalMs = 10_000

/**
 * Sends the account's clock to a later time, and answers where it stands once it is there, has stopped or is still on
 * its way after 10 s. Refuses where payments are no test, and a time that is past or too far.
 */
export async function travel(
  deps: TravelDeps,
  caller: Pick<Caller, 'userid' | 'sessionId' | 'ip'>,
  { to, destroy }: { to: string; destroy: string[] },
): Promise<CallData<typeof timeTravel>> {
  const { db, clock, accounts, feed, gateway } = deps
  const { userid } = caller
  if (gateway.name !== 'sandbox') refuse('travelOff')
  const target = new Date(to)
  await db.transaction().execute(async (trx) => {
    const limits = await accounts.lockLimits(trx, userid)
    const now = accountNow(limits, clock.now())
    if (target <= now) refuse('travelNotForward')
    if (target > addMonths(now, mostMonths, limits.zone)) refuse('travelTooFar', { months: mostMonths })
    await saveTravel(trx, { userid, target, destroy })
    await enqueueTravel(trx, userid)
    await recordAudit(trx, {
      actor: caller,
      ip: caller.ip,
      action: 'account.travel',
      object: { kind: 'account', id: userid, owner: userid },
      before: { accountTime: minuteOf(now) },
      after: { accountTime: minuteOf(target) },
    })
  })
  const isOver = (row: TravelRow | undefined) => !row || row.stopped_before !== null
  await awaitChange(feed, userid, arrivalMs, async () => (isOver(await findTravel(db, userid)) ? true : undefined))
  const row = await findTravel(db, userid)
  const clusters = row?.stopped_before ?? []
  const named =
    clusters.length === 0
      ? []
      : await db
          .selectFrom('owned_clusters')
          .select(['id as clusterId', 'name'])
          .where('id', 'in', clusters)
          .orderBy('id')
          .execute()
  const now = accountNow(await accounts.getLimits(db, userid), clock.now())
  return { now: now.toISOString(), arrived: row === undefined, stoppedBefore: named }
}

/** As every language reads it: `2027-03-01 10:00 UTC`. */
function minuteOf(at: Date): string {
  return `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
