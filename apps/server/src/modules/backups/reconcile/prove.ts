/**
 * Reading back: a part on its day, or everything when somebody asked. The latter is three states of `prove_state`:
 *   asked      waits for the machine, the password, or the chore that is under way
 *   reading    the machine's restic reads all that is stored
 *   hashing    the vault reads every file again; restic reads neither `config` nor keys
 * and ends as a proof, as damage, or with why it could not be had.
 */
import { CheckResult, taskKinds } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import type { BackupDeps } from '../backups-deps.ts'
import { insertProof, listReads } from '../records/proof-store.ts'
import { saidReason } from '../rules/failure-reason.ts'
import { nextPart, nextReadAt, partsFor } from '../rules/read-back.ts'
import { storeReason } from '../rules/reason-text.ts'
import { waitReason } from '../rules/wait-reason.ts'
import type { BackupRow, ChoreRow } from '../tables.ts'
import { insertChore } from './chores.ts'
import { grant } from './dispatch.ts'
import type { BackupFacts } from './facts.ts'
import { explainFailure } from './failed-read.ts'
import { hasJustFailed } from './maintain.ts'

/** The vault reads 20 MB a second; what has not ended by then is given up. ms */
const longestHashingMs = 7 * 24 * 3600_000

/** Has the machine read what is due, as soon as it has nothing else to do. */
export async function beginReading(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup, run, restore, chore, agent, instanceId } = facts
  if (run || restore || chore) return
  const isAsked = backup.prove_state === 'asked'
  const waits = waitReason({ agent, password: backup.password, isFull: false })
  if (waits || instanceId === undefined) {
    if (isAsked) await saveProve(facts, { prove_reason: storeReason({ key: waits ?? 'backupWaitsMachine' }) })
    return
  }
  // Until a task opened the repository with it, the password may be wrong: the next run finds out.
  if (backup.password !== 'kept') return
  const share = isAsked ? { part: 1, parts: 1 } : await findDue(deps, facts)
  if (!share) return
  const { taskId, repository } = await grant(deps, facts, 'read')
  await insertChore(facts, [], { kind: 'check', task_id: taskId, ...share })
  if (isAsked) await saveProve(facts, { prove_state: 'reading', prove_since: at, prove_reason: null })
  const params = { repository, backupId: backup.id, part: { k: share.part, n: share.parts } }
  await deps.agents.requestTask(trx, taskKinds['backup.check'], { taskId, instanceId, params })
}

async function findDue(deps: BackupDeps, facts: BackupFacts): Promise<{ part: number; parts: number } | undefined> {
  const { trx, at, backup } = facts
  if (backup.prove_state !== null || (await hasJustFailed(facts, ['check']))) return undefined
  const dueAt = await nextCheckAt(deps, facts)
  if (!dueAt || dueAt > at) return undefined
  const parts = await countParts(deps, facts)
  return { part: nextPart(await listReads(trx, backup.id), parts), parts }
}

/** When the next part is due to be read; undefined: nothing is stored. */
export async function nextCheckAt(deps: BackupDeps, facts: BackupFacts): Promise<Date | undefined> {
  const { trx, backup } = facts
  const first = await trx
    .selectFrom('snapshots')
    .select((from) => from.fn.min('received_at').as('at'))
    .where('backup_id', '=', backup.id)
    .executeTakeFirst()
  if (!first?.at) return undefined
  return nextReadAt(await listReads(trx, backup.id), await countParts(deps, facts), first.at)
}

async function countParts(deps: BackupDeps, { trx, backup }: BackupFacts): Promise<number> {
  return partsFor((await deps.usageOf(trx, { repositoryId: backup.repo_id })).liveBytes)
}

/** Records the result of reading a part; a reason: it could not be read, or it differs. */
export async function settleReading(
  deps: BackupDeps,
  facts: BackupFacts,
  chore: ChoreRow,
  task: AgentTask | undefined,
  isCanceled: boolean,
): Promise<Reason | null> {
  const { trx, at, backup } = facts
  const isAsked = backup.prove_state === 'reading'
  if (isCanceled) {
    // The person who canceled it needs no notice.
    if (isAsked) await endProve(facts, null)
    return { key: 'backupProofCanceled' }
  }
  const result = CheckResult.safeParse(task?.state === 'done' ? task.result : undefined)
  if (result.data?.outcome === 'done') {
    const { part, parts, created_at } = chore
    await insertProof(trx, backup, { level: 'read', passed: true, part, parts, at: created_at })
    if (isAsked) {
      await deps.vault.scrub(trx, backup.repo_id)
      await saveProve(facts, { prove_state: 'hashing' })
    }
    return null
  }
  const failure = result.data?.failure
  const reason = result.data
    ? await explainFailure(deps, trx, { repositoryId: backup.repo_id, taskId: chore.task_id }, result.data)
    : saidReason(task?.reason ?? 'The machine was lost.')
  if (failure === 'damaged') {
    await insertProof(trx, backup, { level: 'read', passed: false, reason: storeReason(reason), at })
  }
  if (isAsked) await endProve(facts, failure === 'damaged' ? null : reason)
  return reason
}

/** Ends a proof that was asked for once the vault has read every file. */
export async function settleHashing(deps: BackupDeps, facts: BackupFacts): Promise<void> {
  const { trx, at, backup } = facts
  if (backup.prove_state !== 'hashing' || !backup.prove_since) return
  const { left } = await deps.scrubLeft(trx, backup.repo_id, backup.prove_since)
  if (left === 0) return await endProve(facts, null)
  if (at.getTime() - backup.prove_since.getTime() < longestHashingMs) return
  await endProve(facts, { key: 'backupHashingLate' })
}

async function endProve(facts: BackupFacts, reason: Reason | null): Promise<void> {
  const ended = { prove_state: null, prove_since: null, prove_reason: reason && storeReason(reason) }
  await saveProve(facts, ended)
}

async function saveProve(
  { trx, backup }: BackupFacts,
  change: Partial<Pick<BackupRow, 'prove_state' | 'prove_since' | 'prove_reason'>>,
): Promise<void> {
  await trx.updateTable('backups').set(change).where('id', '=', backup.id).execute()
}
