import type { AuditFacts } from '@atoll/contract/audit'
import type { BackupSchedule, KeepRules } from '@atoll/contract/backups'

export interface PlanFacts {
  paths: string[]
  schedule: BackupSchedule
  time_zone: string
  keep: KeepRules
}

/** A backup's plan as the audit log records it: in words and figures that need no translation. */
export function planFacts({ paths, schedule, time_zone, keep }: PlanFacts): AuditFacts {
  const { every, ...rest } = schedule
  return {
    paths: paths.join(', ').slice(0, 500).toWellFormed(),
    schedule: [every, ...Object.values(rest)].join(' '),
    timeZone: time_zone,
    keep: Object.entries(keep)
      .filter(([, count]) => count > 0)
      .map(([rule, count]) => `${rule} ${count}`)
      .join(', '),
  }
}
