import type { Period } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import { dueKinds } from '../schedule/due-kinds.ts'
import { scheduleDue } from '../schedule/due-store.ts'
import type { SubscriptionRow } from './documents/document-tables.ts'

/** Has the usage of a subscription's period billed when that is over, `atLatest` then. Under the account's lock. */
export async function scheduleUsage(
  trx: Trx,
  { userid, id }: Pick<SubscriptionRow, 'userid' | 'id'>,
  period: Period,
  atLatest = period.end,
): Promise<void> {
  const object = `${id} ${period.start.toISOString()}`
  await scheduleDue(trx, { userid, kind: dueKinds.usage, object, dueAt: atLatest < period.end ? atLatest : period.end })
}
