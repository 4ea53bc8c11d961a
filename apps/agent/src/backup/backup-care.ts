/** Tasks `backup.check` and `backup.prune`, which keep a repository sound and small. */
import type { BackupProgress, CheckResult, PruneResult } from '@atoll/contract/agents'
import { createPace } from './repository/pace.ts'
import type { Repository, RunOptions } from './repository/repository.ts'
import { BackupProblem, namesFile } from './repository/restic-failure.ts'
import { readResticCount } from './repository/restic-output.ts'

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

/**
 * The failure with the stored file that it is about, where restic left that out: its check says it. Any other is
 * answered as it is.
 */
export async function nameDamage(repository: Repository, error: unknown): Promise<unknown> {
  if (!(error instanceof BackupProblem) || error.failure !== 'damaged' || namesFile(error.message)) return error
  const said = await repository.run(['check', '--no-lock']).catch((found: unknown) => found)
  return said instanceof BackupProblem && namesFile(said.message) ? new BackupProblem('damaged', said.message) : error
}

/**
 * Gives back the room of what no snapshot needs. It writes before it deletes: `maxMoved` (bytes) keeps that within what
 * the store has room for, and whole packs that nothing needs go in any case.
 */
export async function pruneRepository(
  repository: Repository,
  maxMoved: number | undefined,
  progress: SayProgress,
): Promise<PruneResult> {
  const limit = maxMoved === undefined ? [] : [`--max-repack-size=${maxMoved}`]
  return await timed(() => repository.run(['prune', ...limit], counting(progress)))
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
