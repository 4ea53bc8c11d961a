import type { Attention } from '../../platform/attention/index.ts'
import type { Db } from '../../platform/db/index.ts'
import { listPausedByItself } from './rollout-store.ts'

/** Rollouts that nobody paused: too many clusters failed, or the server offers another version. */
export async function findPausedRollouts(db: Db): Promise<Attention[]> {
  const paused = await listPausedByItself(db)
  return paused.map(({ id, version, paused_at, failed }) => ({
    key: id,
    severity: 'warning',
    facts: { version, count: failed },
    ...(paused_at && { since: paused_at }),
  }))
}
