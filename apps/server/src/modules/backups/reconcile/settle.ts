/** Records the results of agents' tasks in runs, restores and chores. */
import { type BackupFailure, RestoreResult, RunResult } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { noteHeld } from '../records/note-held.ts'
import { insertProof } from '../records/proof-store.ts'
import { storeReason } from '../rules/reason-text.ts'
import { nextRunState, type RunEvent } from '../rules/run-state.ts'
import { taskStep } from '../rules/task-step.ts'
import type { RestoreRow, SnapshotRow } from '../tables.ts'
import { type BackupFacts, endTask, findMachine, isLostTo, taskOf } from './facts.ts'
import { explainFailure } from './failed-read.ts'
import { guardBackup, tellTrouble } from './warn.ts'

type Run = SnapshotRow | RestoreRow
interface Failed {
  failure: BackupFailure | undefined
  text: string
}

/** Takes the run and the restore that are under way one step further, as their tasks report. */
export async function settleRuns(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  if (facts.run) await settle(deps, facts, 'snapshots', facts.run)
  if (facts.restore) await settle(deps, facts, 'restores', facts.restore)
}

async function settle(deps: BackupDeps, facts: BackupFacts, table: 'snapshots' | 'restores', row: Run): Promise<void> {
  const task = taskOf(facts, row)
  const reader = readerOf(row)
  const machine = reader === null ? facts : await findMachine(deps, facts.trx, facts.backup, reader)
  const ended = await followTask(deps, facts, table, row, { task, isLost: isLostTo(machine, task) })
  if (!ended) return
  if (table === 'snapshots') await endRun(deps, facts, row, ended)
  else await endRestore(deps, facts, row, ended)
}

/** Takes a run one step further; gives its task once that has ended, to be read. */
export async function followTask(
  deps: BackupDeps,
  place: Pick<BackupFacts, 'trx' | 'at'>,
  table: 'snapshots' | 'restores',
  row: Run,
  { task, isLost }: { task: AgentTask | undefined; isLost: boolean },
): Promise<AgentTask | undefined> {
  const step = taskStep({ state: row.state, cancelAsked: row.cancel_asked, task, isLost })
  if (step === 'wait') return undefined
  if (step === 'begin') return void (await move(place, table, row, 'begin'))
  if (step === 'cancelTask') return void (await deps.agents.cancelTask(place.trx, row.task_id ?? ''))
  await endTask(deps, place.trx, row.task_id)
  if (step === 'cancel') return void (await move(place, table, row, 'cancel'))
  if (step === 'lose' || !task) return void (await move(place, table, row, 'lose', { task_id: null }))
  return task
}

async function endRun(deps: BackupDeps, facts: BackupFacts, row: Run, task: AgentTask): Promise<void> {
  const { trx, backup } = facts
  const result = RunResult.safeParse(task.result)
  if (!result.success || result.data.outcome === 'failed') {
    return await failRun(deps, facts, 'snapshots', row, failureOf(task, result.data))
  }
  const { snapshotId, bytes, newBytes, files, unreadFiles, manifest } = result.data
  // The report counts only if the vault has the file; the time is the vault's, whatever the machine's clock shows.
  const stored = (await deps.listSnapshotFiles(trx, backup.repo_id)).find(({ name }) => name === snapshotId)
  if (!stored) {
    const reason: Reason = { key: 'backupNotStored' }
    await move(facts, 'snapshots', row, 'fail', { reason: storeReason(reason) })
    return await tellTrouble(deps, facts, 'run', reason)
  }
  const unread: Reason = { key: 'backupUnread', params: { files: unreadFiles } }
  await trx
    .updateTable('snapshots')
    .set({ restic_id: snapshotId, received_at: stored.storedAt, new_bytes: newBytes, unread_files: unreadFiles })
    .$if(manifest != null, (query) =>
      query.set({
        tree_root: manifest?.root ?? null,
        tree_files: manifest?.files ?? null,
        tree_apart: JSON.stringify(manifest?.apart ?? []),
      }),
    )
    .where('id', '=', row.id)
    .execute()
  await move(facts, 'snapshots', row, 'complete', {
    size: bytes,
    files,
    reason: unreadFiles > 0 ? storeReason(unread) : null,
  })
  await insertProof(trx, backup, {
    level: 'written',
    passed: true,
    snapshot_id: row.id,
    bytes,
    files,
    at: stored.storedAt,
  })
  await tellTrouble(deps, facts, 'run', null)
  await guardBackup(deps, facts, row, { bytes, files, newBytes })
  await noteHeld(deps, trx, backup)
  await saveBackup(facts, { has_repository: true, password: 'kept', box: null })
}

async function endRestore(deps: BackupDeps, facts: BackupFacts, row: Run, task: AgentTask): Promise<void> {
  const result = RestoreResult.safeParse(task.result)
  if (!result.success || result.data.outcome === 'failed')
    return await failRun(deps, facts, 'restores', row, failureOf(task, result.data))
  const { files, bytes, folder, kept, unreadFiles = 0 } = result.data
  await facts.trx
    .updateTable('restores')
    .set({ folder, box: null })
    .$if(kept !== undefined, (query) =>
      query.set({ kept_folder: kept?.folder, kept_files: kept?.files, kept_whole: kept?.isWhole }),
    )
    .where('id', '=', row.id)
    .execute()
  await move(facts, 'restores', row, 'complete', { files, size: bytes, reason: unreadReason(unreadFiles) })
  if (readerOf(row) === null) await saveBackup(facts, { password: 'kept', box: null })
}

/** The cluster that restores it in place of the backup's own; null: that one does. */
function readerOf(row: Run): string | null {
  return 'reader_cluster_id' in row ? row.reader_cluster_id : null
}

/** Of a restore that brought back all but what is damaged in the store. */
export function unreadReason(files: number): string | null {
  return files > 0 ? storeReason({ key: 'restoreUnread', params: { files } }) : null
}

export function failureOf(task: AgentTask, result: RunResult | RestoreResult | undefined): Failed {
  if (result?.outcome === 'failed') return result
  return { failure: undefined, text: task.reason ?? 'The agent gave no result.' }
}

async function failRun(
  deps: BackupDeps,
  facts: BackupFacts,
  table: 'snapshots' | 'restores',
  row: Run,
  { failure: found, text }: Failed,
): Promise<void> {
  // Passwords of another machine say nothing of the one that is backed up, and a restore there waits for none: it ends.
  const isElsewhere = readerOf(row) !== null
  const failure = isElsewhere && found === 'no_password' ? 'wrong_password' : found
  const of = { repositoryId: facts.backup.repo_id, taskId: row.task_id }
  const isChosen = 'choice' in row && row.choice !== null
  const reason: Reason =
    isChosen && failure === 'bad_path'
      ? { key: 'backupChoiceGone' }
      : await explainFailure(deps, facts.trx, of, { failure, text })
  const isOwnBox = isElsewhere || ('box' in row && row.box !== null)
  if (failure === 'no_password') {
    await saveBackup(facts, { password: 'missing', box: null })
    return await move(facts, table, row, 'lose', { task_id: null })
  }
  // A password that came with a restore says nothing of the one that the machine keeps.
  const isRefused = failure === 'wrong_password' || failure === 'unfit_password'
  if (isRefused && !isOwnBox) await saveBackup(facts, { password: 'wrong', box: null })
  if (table === 'restores') {
    const needs = failure === 'wrong_password'
    await facts.trx.updateTable('restores').set({ needs_password: needs, box: null }).where('id', '=', row.id).execute()
  }
  await move(facts, table, row, 'fail', { reason: storeReason(reason) })
  if (table === 'snapshots') await tellTrouble(deps, facts, 'run', reason)
}

type RunChange = Partial<Pick<SnapshotRow, 'task_id' | 'reason' | 'size' | 'files'>>

/** Writes where `event` takes a run; one that comes too late changes nothing. */
export async function move(
  { trx, at }: Pick<BackupFacts, 'trx' | 'at'>,
  table: 'snapshots' | 'restores',
  row: Run,
  event: RunEvent,
  change: RunChange = {},
): Promise<void> {
  const state = nextRunState(row.state, event)
  if (!state) return
  const isEnd = state === 'Completed' || state === 'Failed' || state === 'Canceled'
  if (isEnd && table === 'restores') {
    await trx.updateTable('restores').set({ box: null, choice: null }).where('id', '=', row.id).execute()
  }
  if (event === 'lose' && table === 'snapshots') {
    await trx.updateTable('snapshots').set({ lost_at: at }).where('id', '=', row.id).execute()
  }
  await trx
    .updateTable(table)
    .set({
      state,
      ...((event === 'send' || event === 'begin' || event === 'cancel') && { reason: null }),
      ...change,
      ...(event === 'send' && { started_at: row.started_at ?? at }),
      ...(event === 'begin' && { running_at: row.running_at ?? at }),
      ...(event === 'lose' && { running_at: null }),
      ...(isEnd && { ended_at: at }),
    })
    .where('id', '=', row.id)
    .execute()
}

async function saveBackup(
  { trx, backup }: BackupFacts,
  change: { has_repository?: boolean; password: 'kept' | 'missing' | 'wrong'; box: null },
): Promise<void> {
  await trx.updateTable('backups').set(change).where('id', '=', backup.id).execute()
}
