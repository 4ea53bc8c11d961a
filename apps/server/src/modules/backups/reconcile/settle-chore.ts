/** Reads the results of prunes, checks, drills and password changes. */
import { PruneResult } from '@atoll/contract/agents'
import type { Reason } from '@atoll/contract/api'
import type { AgentTask } from '../../agents/index.ts'
import { explainFailure } from '../rules/explain-failure.ts'
import { saidReason } from '../rules/failure-reason.ts'
import type { ChoreRow } from '../tables.ts'
import { type Change, type ChoreEnd, endChore, endTask, type Settled } from './changes.ts'
import { settleDrill } from './drill.ts'
import { followDrill, isElsewhere } from './drill-elsewhere.ts'
import { type BackupFacts, isLostTo, taskOf } from './facts.ts'
import { settlePassword } from './password-change.ts'
import { settleReading } from './prove.ts'
import { noteTrouble } from './warn.ts'

/** Ends the chore whose task has ended; a lost one is asked for again by the next reconcile of what is kept. */
export function settleChore(facts: BackupFacts): Change[] {
  const { at, chore } = facts
  if (!chore) return []
  if (isElsewhere(chore)) return followDrill(facts, chore)
  const task = taskOf(facts, chore)
  const isLost = isLostTo(facts, task)
  if (task && !isLost && !['done', 'failed', 'canceled'].includes(task.state)) return []
  const isCanceled = (task?.isCancelAsked ?? false) && (task?.state === 'canceled' || isLost)
  const end = { task, isLost, isCanceled }
  const { changes, reason } = readEnd(facts, chore, end)
  const isPruned = chore.kind === 'prune' && reason === null
  return [
    ...endTask(chore.task_id),
    ...changes,
    endChore(at, chore, reason),
    ...noteChoreTrouble(facts, chore, end, reason),
    ...(isPruned ? ([{ kind: 'saveBackup', set: { pruned_at: at } }, { kind: 'meter' }] as const) : []),
  ]
}

function readEnd(facts: BackupFacts, chore: ChoreRow, end: ChoreEnd): Settled {
  if (chore.kind === 'check') return settleReading(facts, chore, end)
  if (chore.kind === 'drill') return settleDrill(facts, chore, end)
  if (chore.kind === 'password') return settlePassword(facts, chore, end)
  return { changes: [], reason: pruneFailure(facts, chore, end.task) }
}

/**
 * Drills and damage have mails of their own, and the result of a password change is shown on the page where it was
 * requested. No mail about a chore that was canceled or whose machine was lost.
 */
function noteChoreTrouble(
  facts: BackupFacts,
  { kind }: ChoreRow,
  { isLost, isCanceled }: ChoreEnd,
  reason: Reason | null,
): Change[] {
  if (kind === 'drill' || kind === 'password' || isCanceled || isLost) return []
  if (kind === 'check' && reason?.key === 'backupDamaged') return []
  return noteTrouble(facts, kind, reason)
}

function pruneFailure({ blamed }: BackupFacts, { task_id }: ChoreRow, task: AgentTask | undefined): Reason | null {
  if (task?.state !== 'done') return saidReason(task?.reason ?? 'The machine was lost.')
  const result = PruneResult.safeParse(task.result)
  if (!result.success) return saidReason('The agent gave no result.')
  if (result.data.outcome !== 'failed') return null
  return explainFailure(result.data.failure, result.data.text, blamed.get(task_id ?? ''))
}
