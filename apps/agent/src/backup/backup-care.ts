/** Tasks `backup.check`, `backup.forget` and `backup.prune`: what keeps a repository sound and small. */
import type { CheckResult, ForgetResult, PruneResult } from '@atoll/contract/agents'
import type { Repository } from './repository.ts'
import { BackupProblem } from './restic-failure.ts'

/** Structure of all, and part k of n of the stored bytes. */
export async function checkRepository(
  repository: Repository,
  { k, n }: { k: number; n: number },
): Promise<CheckResult> {
  return await timed(async () => {
    const read = n === 1 ? '--read-data' : `--read-data-subset=${k}/${n}`
    await repository.run(['check', read]).catch((error: unknown) => {
      // restic has many words for damage; that it ran to its end and complains is what they share.
      if (!(error instanceof BackupProblem) || error.failure !== 'failed') throw error
      throw new BackupProblem(/\berrors?\b/i.test(error.message) ? 'damaged' : 'failed', error.message)
    })
  })
}

/** Removes the snapshots; those that are gone already are left out by restic. */
export async function forgetSnapshots(repository: Repository, snapshots: readonly string[]): Promise<ForgetResult> {
  return await timed(() => repository.run(['forget', ...snapshots]))
}

/** Gives back the room of what no snapshot needs. */
export async function pruneRepository(repository: Repository): Promise<PruneResult> {
  return await timed(() => repository.run(['prune']))
}

async function timed(act: () => Promise<unknown>): Promise<{ outcome: 'done'; durationMs: number }> {
  const begunAt = performance.now()
  await act()
  return { outcome: 'done', durationMs: Math.round(performance.now() - begunAt) }
}
