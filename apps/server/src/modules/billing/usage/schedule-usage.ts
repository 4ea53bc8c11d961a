import type { Period } from '@atoll/money'
import type { Trx } from '../../../platform/db/index.ts'
import type { SubscriptionRow } from '../documents/document-tables.ts'
import { dueKinds } from '../time/due-kinds.ts'
import { scheduleDue } from '../time/due-store.ts'

/** Has the usage of a subscription's period billed when that is over. Under the account's lock. */
export async function scheduleUsage(
  trx: Trx,
  { userid, id }: Pick<SubscriptionRow, 'userid' | 'id'>,
  period: Period,
): Promise<void> {
  const object = `${id} ${period.start.toISOString()}`
  await scheduleDue(trx, { userid, kind: dueKinds.usage, object, dueAt: period.end })
}
