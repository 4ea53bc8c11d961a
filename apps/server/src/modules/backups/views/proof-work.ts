/** The proof of a backup that is under way, as its page shows it. */
import type { ProofWork, RunProgress } from '@atoll/contract/backups'
import type { Locale } from '@atoll/contract/wire'
import type { BackupDeps } from '../backups-deps.ts'
import { isElsewhere } from '../reconcile/drill-elsewhere.ts'
import { findOpenWork } from '../records/backup-store.ts'
import { describeReason } from '../rules/reason-text.ts'
import type { BackupRow, ChoreRow } from '../tables.ts'
import { progressOf } from './backup-json.ts'

/** Null: none. Work on the machine takes precedence over waiting requests. */
export async function findProofWork(deps: BackupDeps, backup: BackupRow, locale: Locale): Promise<ProofWork | null> {
  const { chore } = await findOpenWork(deps.db, backup.id)
  if (chore?.kind === 'check' || chore?.kind === 'drill') return await describeChore(deps, chore)
  const { prove_state: stage, prove_since } = backup
  if (stage === null || prove_since === null) return null
  const isAsked = stage === 'asked'
  return {
    stage,
    since: prove_since.toISOString(),
    part: null,
    reason: describeReason(backup.prove_reason, locale),
    drillStep: null,
    progress: stage === 'hashing' ? await countHashed(deps, backup.repo_id, prove_since) : null,
    // The store reads by its own clock, and cannot be canceled.
    cancellable: isAsked,
    cancelAsked: false,
  }
}

async function describeChore(deps: BackupDeps, chore: ChoreRow): Promise<ProofWork> {
  const { kind, task_id, part, parts, created_at } = chore
  const [task] = await deps.agents.listTasks(deps.db, task_id === null ? [] : [task_id])
  const cancelAsked = chore.cancel_asked || (task?.isCancelAsked ?? false)
  const canCancel = task !== undefined || isElsewhere(chore)
  return {
    stage: kind === 'drill' ? 'drilling' : 'reading',
    since: created_at.toISOString(),
    reason: null,
    part: part !== null && parts !== null && parts > 1 ? { k: part, n: parts } : null,
    progress: progressOf(task),
    cancellable: canCancel && !cancelAsked,
    cancelAsked,
    drillStep: kind === 'drill' ? stepOf(chore) : null,
  }
}

function stepOf(chore: ChoreRow): ProofWork['drillStep'] {
  if (!isElsewhere(chore)) return 'sameHost'
  if (chore.task_id !== null) return 'restoring'
  return chore.reseal_task_id === null ? 'making' : 'sealing'
}

async function countHashed(deps: BackupDeps, repositoryId: string, since: Date): Promise<RunProgress> {
  const { left, files } = await deps.scrubLeft(deps.db, repositoryId, since)
  const unknown = { bytesDone: 0, bytesTotal: null, bytesPerSecond: null, secondsLeft: null, unreadFiles: 0 }
  return { filesDone: files - left, filesTotal: files, ...unknown }
}
