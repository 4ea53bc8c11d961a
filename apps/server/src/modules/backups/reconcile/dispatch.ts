/** Gives what waits to the machine, as tasks with a right to the repository for as long as they last. */
import { taskKinds } from '@atoll/contract/agents'
import { joinPaths } from '../rules/join-paths.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import { type Change, moveRun, noteWait, sendTask } from './changes.ts'
import type { BackupFacts } from './facts.ts'

/** A run that waits is sent, or the reason why it waits is recorded. */
export function sendRun(facts: BackupFacts): Change[] {
  const { at, run, restore, backup, agent, instanceId, newTaskId: taskId, isFull, isSuspended } = facts
  if (run?.state !== 'Pending') return []
  // After a repair the machine may have none: the one that came with a restore serves the run before it, too.
  const isOfRestore = backup.password !== 'kept' && restore?.after_snapshot_id === run.id
  const box = backup.box ?? (isOfRestore ? restore.box : null)
  const password = box === null ? backup.password : 'given'
  const waits = waitReason({ agent, password, isFull, isHeld: isSuspended })
  if (waits || instanceId === undefined) return noteWait('snapshots', run, { key: waits ?? 'backupWaitsMachine' })
  const { id: backupId, has_repository: hasRepository } = backup
  const kind = hasRepository ? 'Incremental' : 'Fully'
  const params = { backupId, paths: run.paths, first: !hasRepository, ...(box !== null && { box }) }
  return [
    ...moveRun(at, 'snapshots', run, 'send', { task_id: taskId }),
    { kind: 'saveRun', id: run.id, set: { kind } },
    sendTask(taskKinds['backup.run'], { taskId, instanceId, right: 'write' }, params),
  ]
}

/**
 * Begins the snapshot that goes before replaced files. It is always a new one: a run that was under way when they were
 * asked for has read some of the files by then, and is waited for.
 */
export function beginSafetyRun({ backup, run, restore, restored, safetyRun }: BackupFacts): Change[] {
  if (restore?.state !== 'Pending' || restore.way !== 'replace' || run || safetyRun || !restored) return []
  return [{ kind: 'insertSafetyRun', restoreId: restore.id, paths: joinPaths(backup.paths, restored.paths) }]
}

/** A restore that waits is sent; one that replaces files after the run that was made for it has ended. */
export function sendRestore(facts: BackupFacts): Change[] {
  const { at, restore, restored, backup, safetyRun, newTaskId: taskId } = facts
  if (restore?.state !== 'Pending' || !restored) return []
  const isElsewhere = restore.reader_cluster_id !== null
  const { agent, instanceId } = facts.reader
  const fail = (reason: string, needs_password = restore.needs_password) =>
    moveRun(at, 'restores', restore, 'fail', { reason, needs_password })
  if (isElsewhere && instanceId === undefined) return fail(storeReason({ key: 'backupClusterLost' }))
  if (restore.way === 'replace' && (!safetyRun || safetyRun.ended_at === null)) {
    return noteWait('restores', restore, { key: safetyRun ? 'backupWaitsRun' : 'backupWaitsSlot' })
  }
  // Where none could be taken, the machine keeps all that it replaces; only its owner's own end of it ends both.
  const wrong = storeReason({ key: 'backupPasswordWrong' })
  if (safetyRun?.state === 'Canceled' || safetyRun?.reason === wrong) {
    const isWrong = safetyRun.reason === wrong && restore.box !== null
    return fail(isWrong ? wrong : storeReason({ key: 'backupRunMissing' }), isWrong)
  }
  // A reader that was looked at a snapshot with keeps its password. The backup's box is for its own machine.
  const box = restore.box ?? (isElsewhere ? null : backup.box)
  const password = restore.box ? 'given' : isElsewhere ? 'kept' : backup.password
  const waits = waitReason({ agent, password, isFull: false })
  if (waits || instanceId === undefined) return noteWait('restores', restore, { key: waits ?? 'backupWaitsMachine' })
  const params = {
    backupId: backup.id,
    snapshotId: restored.restic_id ?? '',
    ...(box !== null && { box }),
    ...(restored.size !== null && { bytes: restored.size }),
    ...(restore.choice !== null && { choice: restore.choice }),
    target:
      restore.way === 'newFolder' || restore.way === 'beside'
        ? { way: restore.way }
        : {
            way: 'replace' as const,
            paths: restored.paths,
            safetyId: safetyRun?.forgotten_at ? null : safetyRun?.restic_id,
          },
  }
  return [
    ...moveRun(at, 'restores', restore, 'send', { task_id: taskId }),
    sendTask(taskKinds['backup.restore'], { taskId, instanceId, right: 'read' }, params),
  ]
}
