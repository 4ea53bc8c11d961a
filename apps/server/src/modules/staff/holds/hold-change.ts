import type { customerSuspend } from '@atoll/contract/staff'
import type { CallBody } from '@atoll/contract/wire'
import { newId } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import { publishChange } from '../../../platform/events/index.ts'
import { enqueueJob } from '../../../platform/jobs/index.ts'
import { refuse } from '../../../platform/refusal.ts'
import {
  findDid,
  type HoldRow,
  holdsJob,
  insertHold,
  listSuspensions,
  lockOperated,
  updateHold,
} from '../../accounts/index.ts'
import { type AuditSource, recordAudit } from '../../audit/index.ts'
import { listHeldUp, resumeBills } from '../../billing/index.ts'
import { listClusterFigures } from '../../clusters/index.ts'

/** The actor, the time, and the facts of the audit record: a suspension that ends at its time has no approval. */
export interface HoldChange {
  source: AuditSource
  now: Date
  facts: Record<string, string>
}

/** Whose account that is; refuses where there is none. */
export async function getCustomer(trx: Trx, accountId: string): Promise<string> {
  if ((await findDid(trx, accountId)) === undefined) refuse('notFound', { object: 'account' })
  return accountId
}

/** Suspends an account or one cluster of it; a job stops what runs. */
export async function beginHold(
  trx: Trx,
  { accountId, clusterId, scope, why, text, answerBy, until }: CallBody<typeof customerSuspend>,
  { source, now, facts }: HoldChange,
): Promise<string> {
  // Of two at once one sees the other's, and what is ordered meanwhile is ordered before or refused.
  const { userid: owner } = await lockOperated(trx, await getCustomer(trx, accountId))
  const clusters = await listClusterFigures(trx, owner)
  const cluster = clusters.find((each) => each.clusterId === clusterId)
  if (clusterId !== undefined && !cluster) refuse('notFound', { object: 'cluster' })
  const living = await listSuspensions(trx, accountId)
  if (living.some((hold) => hold.cluster_id === null || hold.cluster_id === clusterId)) refuse('heldAlready')
  const by = source.actor === 'system' ? undefined : source.actor.userid
  const id = newId('hd')
  await insertHold(trx, {
    id,
    account_id: accountId,
    cluster_id: clusterId ?? null,
    scope,
    reason: why,
    text,
    answer_by: answerBy === undefined ? null : new Date(answerBy),
    until: until === undefined ? null : new Date(until),
    held_by: by ?? accountId,
    held_at: now,
  })
  await recordAudit(trx, {
    ...source,
    action: 'support.suspend',
    object: { kind: 'support', id: accountId, owner },
    after: { scope, why, ...(cluster && { cluster: cluster.name }), ...facts },
  })
  await tell(trx, owner)
  return id
}

/** Ends a suspension; a job starts what it stopped. */
export async function endHold(trx: Trx, hold: HoldRow, { source, now, facts }: HoldChange): Promise<void> {
  const { userid: owner, now: timeAt } = await lockOperated(trx, await getCustomer(trx, hold.account_id))
  const bills = await listHeldUp(trx, owner)
  const by = source.actor === 'system' ? undefined : source.actor.userid
  await updateHold(trx, hold.id, { released_at: now, released_by: by ?? null })
  const [since, at] = [hold.held_at, now].map((moment) => timeAt({ now: () => moment })) as [Date, Date]
  await resumeBills(trx, { userid: owner, bills, since, at })
  await recordAudit(trx, {
    ...source,
    action: 'support.release',
    object: { kind: 'support', id: hold.account_id, owner },
    before: { scope: hold.scope, why: hold.reason },
    after: facts,
  })
  await tell(trx, owner)
}

/** The owner's pages, the edges and the job hear of it. */
async function tell(trx: Trx, owner: string): Promise<void> {
  await publishChange(trx, { account: owner, topic: 'account', id: owner })
  for (const { clusterId } of await listClusterFigures(trx, owner))
    await publishChange(trx, { account: owner, topic: 'cluster', id: clusterId })
  await enqueueJob(trx, holdsJob, {}, { key: holdsJob })
}
