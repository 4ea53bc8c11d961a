import { isEnded, type Position, servedStatus } from './cluster-state.ts'

/**
 * Whether a cluster uses its owner's ID: it was activated, and is neither stopped, given up nor gone. A second one that was made of
 * the same backup would be at odds with it (spec §8, the guard of restores). One that waits to be destroyed counts as
 * what it goes back to; one that is silent counts, since it may come back any moment.
 */
export function adoptsId(cluster: Position & { osActive: boolean }): boolean {
  const status = servedStatus(cluster)
  return cluster.osActive && !cluster.given_up && status !== 'stopped' && !isEnded(status)
}
