import type { Backup } from '@atoll/contract/backups'

type Known = Pick<Backup, 'clusterId' | 'state' | 'name' | 'lastCompletedAt'>

/** Of the backups that stay when a cluster goes, the one with the newest snapshot; undefined: there is none. */
export function newestKept(backups: readonly Known[], clusterId: string): { name: string; at: string } | undefined {
  const kept = backups.flatMap(({ clusterId: of, state, name, lastCompletedAt }) =>
    of === clusterId && state !== 'deleting' && lastCompletedAt !== null ? [{ name, at: lastCompletedAt }] : [],
  )
  return kept.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))[0]
}
