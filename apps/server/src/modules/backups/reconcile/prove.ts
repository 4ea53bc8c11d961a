/**
 * Reading back: a part on its day, or everything when somebody asked. The latter is three states of `prove_state`:
 *   asked      waits for the machine, the password, or the chore that is under way
 *   reading    the machine's restic reads all that is stored
 *   hashing    the vault reads every file again; restic reads neither `config` nor keys
 * and ends as a proof, as damage, or with why it could not be had.
 */
import { CheckResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import { explainFailure } from '../rules/explain-failure.ts'
import { saidReason } from '../rules/failure-reason.ts'
import { nextPart } from '../rules/read-back.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { BackupUpdate, ChoreRow } from '../tables.ts'
import { type Change, type ChoreEnd, type Settled, sendTask } from './changes.ts'
import { type BackupFacts, hasJustFailed, isQuiet } from './facts.ts'

/** The vault reads 20 MB a second; what has not ended by then is given up. ms */
const longestHashingMs = 7 * 24 * 3600_000

/** Has the machine read what is due, as soon as it has nothing else to do. */
export function beginReading(facts: BackupFacts): Change[] {
  const { at, backup, agent, instanceId, newTaskId: taskId } = facts
  if (!isQuiet(facts)) return []
  const isAsked = backup.prove_state === 'asked'
  const waits = waitReason({ agent, password: backup.password, isFull: false })
  if (waits || instanceId === undefined) {
    const reason = storeReason({ key: waits ?? 'backupWaitsMachine' })
    return isAsked && backup.prove_reason !== reason ? [saveProof({ prove_reason: reason })] : []
  }
  // Until a task opened the repository with it, the password may be wrong: the next run finds out.
  if (backup.password !== 'kept') return []
  const share = isAsked ? { part: 1, parts: 1 } : findDue(facts)
  if (!share) return []
  const params = { backupId: backup.id, part: { k: share.part, n: share.parts } }
  return [
    { kind: 'insertChore', snapshotIds: [], chore: { kind: 'check', task_id: taskId, ...share } },
    ...(isAsked ? [saveProof({ prove_state: 'reading', prove_since: at, prove_reason: null })] : []),
    sendTask(taskKinds['backup.check'], { taskId, instanceId, right: 'read' }, params),
  ]
}

function findDue({ at, backup, nextCheckAt, reads, parts, lastCheck }: BackupFacts) {
  if (backup.prove_state !== null || hasJustFailed(at, lastCheck)) return undefined
  if (!nextCheckAt || nextCheckAt > at) return undefined
  return { part: nextPart(reads, parts), parts }
}

/** The result of reading a part; a reason: it could not be read, or it differs. */
export function settleReading(facts: BackupFacts, chore: ChoreRow, { task, isCanceled }: ChoreEnd): Settled {
  const { at, backup } = facts
  const isAsked = backup.prove_state === 'reading'
  // The person who canceled it needs no notice.
  if (isCanceled) return { changes: isAsked ? [endProof(null)] : [], reason: { key: 'backupProofCanceled' } }
  const result = CheckResult.safeParse(task?.state === 'done' ? task.result : undefined)
  if (result.data?.outcome === 'done') {
    const { part, parts, created_at } = chore
    const proof = { level: 'read', passed: true, part, parts, at: created_at } as const
    const hashes = [{ kind: 'scrub' }, saveProof({ prove_state: 'hashing' })] as const
    return { changes: [{ kind: 'insertProof', proof }, ...(isAsked ? hashes : [])], reason: null }
  }
  const failure = result.data?.failure
  const reason = result.data
    ? explainFailure(result.data.failure, result.data.text, facts.blamed.get(chore.task_id ?? ''))
    : saidReason(task?.reason ?? 'The machine was lost.')
  const isDamaged = failure === 'damaged'
  const proof = { level: 'read', passed: false, reason: storeReason(reason), at } as const
  const changes: Change[] = [
    ...(isDamaged ? [{ kind: 'insertProof', proof } as const] : []),
    ...(isAsked ? [endProof(isDamaged ? null : reason)] : []),
  ]
  return { changes, reason }
}

/** Ends a proof that was asked for once the vault has read every file. */
export function settleHashing({ at, backup, unhashed }: BackupFacts): Change[] {
  if (backup.prove_state !== 'hashing' || !backup.prove_since) return []
  if (unhashed === 0) return [endProof(null)]
  if (at.getTime() - backup.prove_since.getTime() < longestHashingMs) return []
  return [endProof({ key: 'backupHashingLate' })]
}

function endProof(reason: Reason | null): Change {
  return saveProof({ prove_state: null, prove_since: null, prove_reason: reason && storeReason(reason) })
}

function saveProof(set: Pick<BackupUpdate, 'prove_state' | 'prove_since' | 'prove_reason'>): Change {
  return { kind: 'saveBackup', set }
}
