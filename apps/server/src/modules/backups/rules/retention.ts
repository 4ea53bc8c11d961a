/**
 * What is kept of a backup's snapshots: one pure function for preview and execution. The times are those at which the
 * *vault* received them, so that no forged date pushes a good snapshot out. The rules are restic's own (`forget
 * --keep-…`): newest first, the newest of each hour, day, ISO week, month and year by the cluster's clock; where a rule
 * has counts left at the end, the oldest snapshot is kept too.
 */
import type { KeepReason, KeepRules } from '@atoll/contract/backups'
import { Temporal } from 'temporal-polyfill'

export interface KeptSnapshot {
  id: string
  /** When the vault received it. */
  at: Date
}

export interface Retention<Snapshot> {
  /** Newest first, with why each is kept. */
  keep: { snapshot: Snapshot; because: KeepReason[] }[]
  /** Newest first. */
  remove: Snapshot[]
}

type Bucket = (time: Temporal.ZonedDateTime, index: number) => string

const buckets: Record<keyof KeepRules, Bucket> = {
  last: (_, index) => String(index),
  hourly: (time) => `${time.year}-${time.month}-${time.day} ${time.hour}`,
  daily: (time) => `${time.year}-${time.month}-${time.day}`,
  weekly: (time) => `${time.yearOfWeek}-${time.weekOfYear}`,
  monthly: (time) => `${time.year}-${time.month}`,
  yearly: (time) => String(time.year),
}
const ruleNames = Object.keys(buckets) as (keyof KeepRules)[]

/** What is kept whatever the rules say, besides the newest. */
export interface Held {
  /** The newest proved. */
  provedId?: string | undefined
  /** What a new cluster is being made of. */
  restoringIds?: readonly string[]
}

/** Splits `snapshots`, of any order, by `rules`. */
export function applyKeepRules<Snapshot extends KeptSnapshot>(
  snapshots: readonly Snapshot[],
  rules: KeepRules,
  timeZone: string,
  { provedId, restoringIds = [] }: Held = {},
): Retention<Snapshot> {
  const ordered = [...snapshots].sort((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1))
  const left = { ...rules }
  const last: Partial<Record<keyof KeepRules, string>> = {}
  const retention: Retention<Snapshot> = { keep: [], remove: [] }
  ordered.forEach((snapshot, index) => {
    const time = Temporal.Instant.fromEpochMilliseconds(snapshot.at.getTime()).toZonedDateTimeISO(timeZone)
    const because: KeepReason[] = []
    for (const rule of ruleNames) {
      if (left[rule] === 0) continue
      const bucket = buckets[rule](time, index)
      const isNew = bucket !== last[rule]
      if (!isNew && index < ordered.length - 1) continue
      last[rule] = bucket
      left[rule] -= 1
      because.push(isNew ? rule : `oldest ${rule}`)
    }
    if (index === 0 && because.length === 0) because.push('newest')
    if (snapshot.id === provedId && because.length === 0) because.push('proved')
    if (restoringIds.includes(snapshot.id) && because.length === 0) because.push('restoring')
    if (because.length > 0) retention.keep.push({ snapshot, because })
    else retention.remove.push(snapshot)
  })
  return retention
}
