/**
 * The repository of the deployment's own backups. It is created only on request, and identified by its id from then on,
 * so that an empty mount point, or another disk in its place, is never filled instead.
 */
import { z } from 'zod'
import type { Db } from '../../platform/db/index.ts'
import { findFact, setFact } from '../../platform/facts/index.ts'
import { OperatorError } from '../../platform/operator-error.ts'
import { askRestic, type ResticRepository } from './restic.ts'

const repositoryFact = 'self backup repository'

/** restic's output about a repository. */
const RepositoryConfig = z.object({ id: z.string().regex(/^[0-9a-f]{64}$/) })

async function readId(to: ResticRepository): Promise<string> {
  return RepositoryConfig.parse(JSON.parse(await askRestic(to, ['cat', 'config']))).id
}

/** Makes the repository, or takes one that is there, and knows it by its id from then on. */
export async function initRepository(db: Db, to: ResticRepository): Promise<{ id: string; isNew: boolean }> {
  const found = await readId(to).catch(() => undefined)
  // One that is there and cannot be opened is not made again: restic refuses that, and says why.
  if (found === undefined) await askRestic(to, ['init'])
  const id = found ?? (await readId(to))
  await setFact(db, repositoryFact, id)
  return { id, isNew: found === undefined }
}

/** Throws `OperatorError` unless the repository is there, opens, and is the one that is known. */
export async function requireRepository(db: Db, to: ResticRepository): Promise<void> {
  const id = await readId(to).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new OperatorError(
      `The repository of own backups cannot be opened: is its disk mounted? The first one is made by: npm run backup:self -- init. (${why})`,
      { cause: error },
    )
  })
  const known = await findFact(db, repositoryFact)
  // A deployment of before ids were kept: it goes on with the one it had.
  if (known === undefined) return await setFact(db, repositoryFact, id)
  if (known === id) return
  throw new OperatorError(
    `This is another repository (${id.slice(0, 8)}) than the one that own backups went to (${known.slice(0, 8)}): is the right disk mounted? To go on with this one: npm run backup:self -- init.`,
  )
}
