/**
 * Which snapshots of a backup are kept: one pure function for preview and execution. The times are those at which the
 * *vault* received them, so that no forged date pushes a good snapshot out. The rules are restic's own (`forget
 * --keep-…`): newest first, the newest of each hour, day, ISO week, month and year by the cluster's clock; where a rule
 * has counts left at the end, the oldest snapshot is kept too.
 */
import { type KeepReason, type KeepRules, leastKeptHours } from '@atoll/contract/backups'
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

/** Splits `snapshots`, of any order, by `rules` alone; the newest is always kept. */
export function applyKeepRules<Snapshot extends KeptSnapshot>(
  snapshots: readonly Snapshot[],
  rules: KeepRules,
  timeZone: string,
): Retention<Snapshot> {
  const ordered = [...snapshots].sort(newestFirst)
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
    if (because.length > 0) retention.keep.push({ snapshot, because })
    else retention.remove.push(snapshot)
  })
  return retention
}

/** Reasons besides the rules to keep snapshots, and the time at which they apply. */
export interface Held {
  now: Date
  /** The newest proved. */
  provedId?: string | undefined
  /** Snapshots that are being restored, or were recently. */
  restoringIds?: readonly string[]
  pinnedIds?: readonly string[]
  /** The next run has no room, and there is nothing else left to prune. */
  isShort?: boolean
}

export interface HeldRetention<Snapshot> {
  /** Newest first, with why each is kept. */
  keep: { snapshot: Snapshot; because: KeepReason[] }[]
  /** Newest first. `forRoom`: it would be kept if the next run had room. */
  remove: { snapshot: Snapshot; forRoom: boolean }[]
}

const leastKeptMs = leastKeptHours * 3600_000

/**
 * Splits `snapshots` by `rules` and by holds: none younger than 48 h is removed, nor the newest, the proved, a pinned
 * one or one that is being restored. If the next run has no room, the oldest snapshot that only its age holds is
 * removed: one at a time, so that none is removed without need.
 */
export function decideRetention<Snapshot extends KeptSnapshot>(
  snapshots: readonly Snapshot[],
  rules: KeepRules,
  timeZone: string,
  held: Held,
): HeldRetention<Snapshot> {
  const { keep: byRules, remove } = applyKeepRules(snapshots, rules, timeZone)
  const byHold = remove.map((snapshot) => ({ snapshot, because: holdsOf(snapshot, held) }))
  const keep = [...byRules, ...byHold.filter(({ because }) => because.length > 0)].sort((a, b) =>
    newestFirst(a.snapshot, b.snapshot),
  )
  const gone = byHold
    .filter(({ because }) => because.length === 0)
    .map(({ snapshot }) => ({ snapshot, forRoom: false }))
  const cut = held.isShort ? keep.findLast(({ because }) => because.join() === 'recent') : undefined
  if (!cut) return { keep, remove: gone }
  return { keep: keep.filter((each) => each !== cut), remove: [{ snapshot: cut.snapshot, forRoom: true }, ...gone] }
}

/** The first that holds it, the strongest first; none: it goes. */
function holdsOf({ id, at }: KeptSnapshot, { now, provedId, restoringIds = [], pinnedIds = [] }: Held): KeepReason[] {
  if (pinnedIds.includes(id)) return ['pinned']
  if (id === provedId) return ['proved']
  if (restoringIds.includes(id)) return ['restoring']
  return now.getTime() - at.getTime() < leastKeptMs ? ['recent'] : []
}

function newestFirst(a: KeptSnapshot, b: KeptSnapshot): number {
  return b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1)
}
