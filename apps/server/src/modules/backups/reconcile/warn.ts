/** Decides what an owner is warned of: damage in the store, failures, and runs like an attack or an accident. */
import { Reason } from '@atoll/contract/api'
import { type GuardedRun, guardRun } from '../rules/guard.ts'
import type { SnapshotRow } from '../tables.ts'
import { noteEnd, type TroubleSource } from '../troubles.ts'
import type { Change } from './changes.ts'
import type { BackupFacts } from './facts.ts'

/** Tells once that a backup is damaged, and notes when all that is stored has been read and is sound again. */
export function noteDamage({ at, backup, damage, isSound }: BackupFacts): Change[] {
  if (!damage) return []
  if (backup.damaged_at !== null) {
    if (!isSound) return []
    // Later than the damage, also by a clock that was set back since: else it would be damaged again at once.
    const sound_at = new Date(Math.max(at.getTime(), damage.at.getTime() + 1))
    return [{ kind: 'saveBackup', set: { damaged_at: null, sound_at } }]
  }
  // This damage is older than the reading that showed the backup to be sound again.
  if (backup.sound_at !== null && damage.at < backup.sound_at) return []
  const reason = damage.reason === null ? undefined : Reason.safeParse(JSON.parse(damage.reason)).data
  return [
    { kind: 'saveBackup', set: { damaged_at: damage.at } },
    { kind: 'audit', action: 'backup.damage', after: { reason: damage.reason } },
    { kind: 'notify', notice: { about: 'damage', reason: reason ?? null } },
  ]
}

/** Compares a run that has just been completed, `row` as it was before, with those before it. */
export function guardBackup(
  { at, backup, earlierRuns }: BackupFacts,
  row: Pick<SnapshotRow, 'id'>,
  figures: GuardedRun,
): Change[] {
  // One at a time: what comes meanwhile is as suspicious, and as frozen.
  if (backup.alarm !== null) return []
  const alarm = guardRun(figures, earlierRuns)
  if (!alarm) return []
  const { kind } = alarm
  const percent = Math.round(alarm.share * 100)
  const set = { alarm: kind, alarm_at: at, alarm_snapshot_id: row.id, alarm_share: percent, alarm_held: false }
  return [
    { kind: 'saveBackup', set },
    { kind: 'audit', action: 'backup.alarm', after: { change: kind, percent, snapshot: row.id } },
    { kind: 'notify', notice: { about: kind, percent } },
  ]
}

/**
 * A run or a chore of a backup has ended: its owner is notified once for each cause, and once when everything works
 * again. `reason`: why it failed; null: it worked. Not called for a machine that is off, which alert rules cover.
 */
export function noteTrouble({ backup }: BackupFacts, source: TroubleSource, reason: Reason | null): Change[] {
  const { troubles, tell } = noteEnd(backup.troubles, source, reason?.key ?? null)
  const text = JSON.stringify(troubles)
  if (text === JSON.stringify(backup.troubles)) return []
  return [
    { kind: 'saveBackup', set: { troubles: text } },
    ...(tell === 'over' ? [{ kind: 'notify', notice: { about: 'over' } } as const] : []),
    ...(tell === 'began' ? [{ kind: 'notify', notice: { about: source, reason } } as const] : []),
  ]
}
