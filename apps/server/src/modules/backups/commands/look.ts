/**
 * Looks at files of a snapshot: the owner's question goes to the machine as a task and its answer back, both as boxes
 * that only their browser and the machine open. Nothing of the backup changes, so nothing is reconciled or published.
 */
import { LookResult, taskKinds } from '@atoll/contract/agents'
import type { backupLook, backupLooked } from '@atoll/contract/backups'
import type { CallBody, CallData, Locale } from '@atoll/contract/wire'
import type { Caller } from '../../../platform/caller.ts'
import { newId } from '../../../platform/crypto.ts'
import { refuse } from '../../../platform/refusal.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { lockOwnBackup } from '../records/backup-store.ts'
import { failureReason } from '../rules/failure-reason.ts'
import { describeReason, storeReason } from '../rules/reason-text.ts'
import { getOwnBackup } from '../views/backup-views.ts'
import { requireLiving } from './backup-command.ts'
import { getRestorable } from './backup-run.ts'

/** Of one machine at a time: its other tasks have room beside them. */
const mostOpen = 2
/** One that takes longer is given up for the next. ms */
const patienceMs = 60_000
const kind = taskKinds['backup.look']

export async function lookAtSnapshot(
  deps: BackupDeps,
  { userid }: Caller,
  { backupId, snapshotId, clusterId, box }: CallBody<typeof backupLook>,
): Promise<CallData<typeof backupLook>> {
  return await deps.db.transaction().execute(async (trx) => {
    const backup = (await lockOwnBackup(trx, userid, backupId)) ?? refuse('notFound', { object: 'backup' })
    requireLiving(backup)
    const { restic_id } = await getRestorable(trx, backupId, snapshotId)
    const asked = clusterId ?? backup.cluster_id
    const master = (await deps.listOwnMasters(trx, userid)).find((each) => each.clusterId === asked)
    const { instanceId } = master ?? refuse('backupClusterGone')
    const [agent] = await deps.agents.listAgents(trx, [instanceId])
    if (!agent?.connected || restic_id === null) return refuse('backupMachineOffline')
    const open = await deps.agents.listOpenTasks(trx, instanceId, kind.kind)
    const late = new Date(deps.clock.now().getTime() - patienceMs)
    for (const { id, askedAt } of open) if (askedAt < late) await deps.agents.cancelTask(trx, id)
    if (open.filter(({ askedAt }) => askedAt >= late).length >= mostOpen) refuse('backupLooksTooMany')
    const lookId = newId('at')
    await deps.agents.requestTask(trx, kind, {
      taskId: lookId,
      instanceId,
      params: { backupId, snapshotId: restic_id, box },
    })
    return { lookId }
  })
}

/**
 * Only looks by machines of the backup's owner, who asked them: any other id is answered like one that failed, or is
 * too old. Which backup it was of is sealed in the task, and gone once it has ended.
 */
export async function readLook(
  deps: BackupDeps,
  { userid }: Caller,
  { backupId, lookId }: CallBody<typeof backupLooked>,
  locale: Locale,
): Promise<CallData<typeof backupLooked>> {
  await getOwnBackup(deps, userid, backupId)
  const masters = await deps.listOwnMasters(deps.db, userid)
  const [task] = await deps.agents.listTasks(deps.db, [lookId])
  const none = { page: null, needsPassword: false, reason: null }
  const gone = describeReason(storeReason({ key: 'backupNotListed' }), locale)
  if (task?.kind !== kind.kind || !masters.some(({ instanceId }) => instanceId === task.instanceId))
    return { ...none, state: 'failed', reason: gone }
  if (task.state === 'done') {
    const { data } = LookResult.safeParse(task.result)
    if (data?.outcome === 'done') return { ...none, state: 'done', page: data.page }
    if (data) return { ...none, state: 'failed', ...failed(data.failure, locale) }
  }
  if (task.state === 'waiting' || task.state === 'offered' || task.state === 'running')
    return { ...none, state: 'waiting' }
  return { ...none, state: 'failed', reason: gone }
}

function failed(failure: Extract<LookResult, { outcome: 'failed' }>['failure'], locale: Locale) {
  const needsPassword = failure === 'no_password' || failure === 'wrong_password'
  const said = failureReason(failure, '')
  const reason = said.key === 'said' ? { key: 'backupNotListed' as const } : said
  return { needsPassword, reason: describeReason(storeReason(reason), locale) }
}
