/** Reads the results of agents' tasks: of runs and of restores. */
import { type BackupFailure, RestoreResult, RunResult } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import { explainFailure } from '../rules/explain-failure.ts'
import { storeReason } from '../rules/reason-text.ts'
import { taskStep } from '../rules/task-step.ts'
import type { BackupUpdate, RestoreRow, SnapshotRow } from '../tables.ts'
import { type Change, endTask, moveRun, type Run } from './changes.ts'
import { type BackupFacts, isLostTo, taskOf } from './facts.ts'
import { guardBackup, noteTrouble } from './warn.ts'

interface Failed {
  failure: BackupFailure | undefined
  text: string
}

/** Takes the run that is under way one step further, as its task reports. */
export function settleRun(facts: BackupFacts): Change[] {
  const { run, at } = facts
  if (!run) return []
  const task = taskOf(facts, run)
  const { changes, ended } = followTask(at, 'snapshots', run, { task, isLost: isLostTo(facts, task) })
  return ended ? [...changes, ...endRun(facts, run, ended)] : changes
}

/** The same of a restore, on the backup's own machine or on another one that reads it. */
export function settleRestore(facts: BackupFacts): Change[] {
  const { restore, at, reader } = facts
  if (!restore) return []
  const task = taskOf(facts, restore)
  const { changes, ended } = followTask(at, 'restores', restore, { task, isLost: isLostTo(reader, task) })
  return ended ? [...changes, ...endRestore(facts, restore, ended)] : changes
}

/** Takes a run one step further; `ended`: its task has ended, and its result is to be read. */
export function followTask(
  at: Date,
  table: 'snapshots' | 'restores',
  row: Run,
  { task, isLost }: { task: AgentTask | undefined; isLost: boolean },
): { changes: Change[]; ended?: AgentTask } {
  const step = taskStep({ state: row.state, cancelAsked: row.cancel_asked, task, isLost })
  if (step === 'wait') return { changes: [] }
  if (step === 'begin') return { changes: moveRun(at, table, row, 'begin') }
  if (step === 'cancelTask') return { changes: task ? [{ kind: 'cancelTask', taskId: task.id }] : [] }
  const ends = endTask(row.task_id)
  if (step === 'cancel') return { changes: [...ends, ...moveRun(at, table, row, 'cancel')] }
  if (step === 'lose' || !task) return { changes: [...ends, ...moveRun(at, table, row, 'lose', { task_id: null })] }
  return { changes: ends, ended: task }
}

function endRun(facts: BackupFacts, row: SnapshotRow, task: AgentTask): Change[] {
  const { at, files: storedFiles } = facts
  const result = RunResult.safeParse(task.result)
  if (!result.success || result.data.outcome === 'failed') return failRun(facts, row, failureOf(task, result.data))
  const { snapshotId, bytes, newBytes, files, unreadFiles, manifest } = result.data
  // The report counts only if the vault has the file; the time is the vault's, whatever the machine's clock shows.
  const stored = storedFiles.find(({ name }) => name === snapshotId)
  if (!stored) {
    const reason: Reason = { key: 'backupNotStored' }
    const failed = moveRun(at, 'snapshots', row, 'fail', { reason: storeReason(reason) })
    return [...failed, ...noteTrouble(facts, 'run', reason)]
  }
  const unread: Reason = { key: 'backupUnread', params: { files: unreadFiles } }
  const set = {
    restic_id: snapshotId,
    received_at: stored.storedAt,
    new_bytes: newBytes,
    unread_files: unreadFiles,
    size: bytes,
    files,
    reason: unreadFiles > 0 ? storeReason(unread) : null,
    ...(manifest && {
      tree_root: manifest.root,
      tree_files: manifest.files,
      tree_apart: JSON.stringify(manifest.apart),
    }),
  }
  const proof = { level: 'written', passed: true, snapshot_id: row.id, bytes, files, at: stored.storedAt } as const
  return [
    ...moveRun(at, 'snapshots', row, 'complete', set),
    { kind: 'insertProof', proof },
    ...noteTrouble(facts, 'run', null),
    ...guardBackup(facts, row, { bytes, files, newBytes }),
    { kind: 'meter' },
    { kind: 'saveBackup', set: { has_repository: true, password: 'kept', box: null } },
  ]
}

function endRestore(facts: BackupFacts, row: RestoreRow, task: AgentTask): Change[] {
  const result = RestoreResult.safeParse(task.result)
  if (!result.success || result.data.outcome === 'failed') {
    return failRestore(facts, row, failureOf(task, result.data))
  }
  const { files, bytes, folder, kept, unreadFiles = 0 } = result.data
  const set = {
    folder,
    ...(kept && { kept_folder: kept.folder, kept_files: kept.files, kept_whole: kept.isWhole }),
    files,
    size: bytes,
    reason: unreadReason(unreadFiles),
  }
  const ended = moveRun(facts.at, 'restores', row, 'complete', set)
  return row.reader_cluster_id === null ? [...ended, savePassword('kept')] : ended
}

/** Of a restore that brought back all but what is damaged in the store. */
export function unreadReason(files: number): string | null {
  return files > 0 ? storeReason({ key: 'restoreUnread', params: { files } }) : null
}

export function failureOf(task: AgentTask, result: RunResult | RestoreResult | undefined): Failed {
  if (result?.outcome === 'failed') return result
  return { failure: undefined, text: task.reason ?? 'The agent gave no result.' }
}

function failRun(facts: BackupFacts, row: SnapshotRow, { failure, text }: Failed): Change[] {
  const { at } = facts
  if (failure === 'no_password') return loseForPassword(at, 'snapshots', row)
  const reason = explainFailure(failure, text, facts.blamed.get(row.task_id ?? ''))
  return [
    ...(isRefused(failure) ? [savePassword('wrong')] : []),
    ...moveRun(at, 'snapshots', row, 'fail', { reason: storeReason(reason) }),
    ...noteTrouble(facts, 'run', reason),
  ]
}

function failRestore(facts: BackupFacts, row: RestoreRow, { failure: found, text }: Failed): Change[] {
  const { at } = facts
  // Passwords of another machine say nothing of the one that is backed up, and a restore there waits for none: it ends.
  const isElsewhere = row.reader_cluster_id !== null
  const failure = isElsewhere && found === 'no_password' ? 'wrong_password' : found
  if (failure === 'no_password') return loseForPassword(at, 'restores', row)
  const reason: Reason =
    row.choice !== null && failure === 'bad_path'
      ? { key: 'backupChoiceGone' }
      : explainFailure(failure, text, facts.blamed.get(row.task_id ?? ''))
  // A password that came with a restore says nothing of the one that the machine keeps.
  const isOwnBox = isElsewhere || row.box !== null
  const set = { needs_password: failure === 'wrong_password', reason: storeReason(reason) }
  return [
    ...(isRefused(failure) && !isOwnBox ? [savePassword('wrong')] : []),
    ...moveRun(at, 'restores', row, 'fail', set),
  ]
}

/** The machine keeps no password: the run waits until it has one. */
function loseForPassword(at: Date, table: 'snapshots' | 'restores', row: Run): Change[] {
  return [savePassword('missing'), ...moveRun(at, table, row, 'lose', { task_id: null })]
}

function isRefused(failure: BackupFailure | undefined): boolean {
  return failure === 'wrong_password' || failure === 'unfit_password'
}

function savePassword(password: NonNullable<BackupUpdate['password']>): Change {
  return { kind: 'saveBackup', set: { password, box: null } }
}
