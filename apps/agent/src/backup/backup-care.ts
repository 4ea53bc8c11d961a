/** Tasks `backup.check`, `backup.forget` and `backup.prune`: what keeps a repository sound and small. */
import type { BackupProgress, CheckResult, ForgetResult, PruneResult } from '@atoll/contract/agents'
import { createPace } from './pace.ts'
import type { Repository, RunOptions } from './repository.ts'
import { BackupProblem } from './restic-failure.ts'
import { readResticCount } from './restic-output.ts'

type SayProgress = (value: BackupProgress) => void

/** Structure of all, and part k of n of the stored bytes. */
export async function checkRepository(
  repository: Repository,
  { k, n }: { k: number; n: number },
  progress: SayProgress,
): Promise<CheckResult> {
  return await timed(async () => {
    const read = n === 1 ? '--read-data' : `--read-data-subset=${k}/${n}`
    await repository.run(['check', read], counting(progress)).catch((error: unknown) => {
      // restic has many words for damage; that it ran to its end and complains is what they share. Packs that it could
      // not have for want of a vault are among its errors too: that it said so goes before.
      if (!(error instanceof BackupProblem) || error.failure !== 'failed') throw error
      throw new BackupProblem(/\berrors?\b/i.test(error.message) ? 'damaged' : 'failed', error.message)
    })
  })
}

/** Removes the snapshots; those that are gone already are left out by restic. */
export async function forgetSnapshots(
  repository: Repository,
  snapshots: readonly string[],
  progress: SayProgress,
): Promise<ForgetResult> {
  return await timed(() => repository.run(['forget', ...snapshots], counting(progress)))
}

/** Gives back the room of what no snapshot needs. */
export async function pruneRepository(repository: Repository, progress: SayProgress): Promise<PruneResult> {
  return await timed(() => repository.run(['prune'], counting(progress)))
}

function counting(progress: SayProgress): RunOptions {
  const pace = createPace()
  return {
    onLine(text) {
      const counted = readResticCount(text)
      if (counted) progress(pace(counted))
    },
  }
}

async function timed(act: () => Promise<unknown>): Promise<{ outcome: 'done'; durationMs: number }> {
  const begunAt = performance.now()
  await act()
  return { outcome: 'done', durationMs: Math.round(performance.now() - begunAt) }
}
