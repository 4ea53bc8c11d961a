/**
 * Decides what a backup needs next. Pure: the facts were read under the lock of its row, and `apply` writes the
 * changes. A decision contains the changes of one rule, the first that has any, since those of the next depend on
 * them; the reconciler reads the facts again and asks once more, until nothing is left to change.
 */
import { deleteGraceMs } from '@atoll/contract/backups'
import type { Change } from './changes.ts'
import { beginSafetyRun, sendRestore, sendRun } from './dispatch.ts'
import { beginDrill } from './drill.ts'
import type { BackupFacts } from './facts.ts'
import { followActivation } from './follow-activation.ts'
import { beginDueRun, forgetOld, giveUpLate, prune } from './maintain.ts'
import { restoreClusters } from './new-clusters.ts'
import { changePassword } from './password-change.ts'
import { beginReading, settleHashing } from './prove.ts'
import { settleRestore, settleRun } from './settle.ts'
import { settleChore } from './settle-chore.ts'
import { noteDamage } from './warn.ts'

/** Delay before the next reconcile for work that is due and could not be started, ms. */
const againMs = 3600_000

type Rule = (facts: BackupFacts) => Change[]

const deletingRules: readonly Rule[] = [settleRun, settleRestore, settleChore, restoreClusters, endDeletion]
const rules: readonly Rule[] = [
  settleRun,
  settleRestore,
  settleChore,
  settleHashing,
  adoptFound,
  noteDamage,
  followActivation,
  beginDueRun,
  giveUpLate,
  beginSafetyRun,
  sendRun,
  sendRestore,
  changePassword,
  restoreClusters,
  forgetOld,
  prune,
  beginReading,
  planNextReconcile,
  beginDrill,
]

/** None: everything is as it should be until something happens, or until a time that is planned. */
export function decide(facts: BackupFacts): Change[] {
  if (facts.backup.state === 'deleted') return []
  for (const rule of facts.backup.state === 'deleting' ? deletingRules : rules) {
    const changes = rule(facts)
    if (changes.length > 0) return changes
  }
  return []
}

/** Snapshots that `reindexBackups` skipped because a run was under way. */
function adoptFound({ run, unnamed }: BackupFacts): Change[] {
  return run || unnamed.length === 0 ? [] : [{ kind: 'insertFound', files: [...unnamed] }]
}

function endDeletion({ at, backup, isHeld, resumedAt }: BackupFacts): Change[] {
  if (!backup.deleted_at || backup.deleted_at > at || isHeld) return []
  // It may have been taken back in the time that a restored database does not know.
  if (resumedAt && resumedAt.getTime() + deleteGraceMs > at.getTime()) return []
  return [{ kind: 'saveBackup', set: { state: 'deleted', box: null, password: 'missing' } }]
}

/** Schedules the next reconcile for checks and drills, which neither a slot nor a person triggers. */
function planNextReconcile({ at, backup, nextCheckAt, nextDrillAt }: BackupFacts): Change[] {
  const due = [nextCheckAt, nextDrillAt].flatMap((each) => each?.getTime() ?? [])
  const next = due.length > 0 ? new Date(Math.max(Math.min(...due), at.getTime() + againMs)) : null
  return next?.getTime() === backup.look_at?.getTime() ? [] : [{ kind: 'saveBackup', set: { look_at: next } }]
}
