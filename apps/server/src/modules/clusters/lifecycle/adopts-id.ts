import { isEnded, type Position, servedStatus } from './cluster-state.ts'

/**
 * Whether a cluster uses its owner's ID: it was activated, and is neither stopped, given up nor gone. A second one that
 * was made of the same backup would be at odds with it (spec §8, the guard of restores). One whose bill is overdue is
 * stopped too: its backup may come back, and it is asked again when it would start (events/money-events.ts). One that
 * waits for its owner's yes to be destroyed counts as what it goes back to; one that is silent counts, since it may
 * come back any moment.
 */
export function adoptsId(cluster: Position & { osActive: boolean }): boolean {
  const status = servedStatus(cluster)
  const isStopped = status === 'stopped' || status === 'waiting_destroy'
  return cluster.osActive && !cluster.given_up && !isStopped && !isEnded(status)
}
