/**
 * The folder with the instances has an id, which stands in it and in the database. A worker that was started with
 * another folder would find every instance missing: it refuses the work of this driver instead, and goes on with all
 * other.
 */
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../../../platform/log.ts'
import { ProviderError } from '../../provider/compute-provider.ts'
import { hasCode } from './instance-folder.ts'

/** The id of the folder as the database knows it. */
export interface FolderId {
  find(): Promise<string | undefined>
  /** Keeps `id` unless there is one already; gives what is kept. */
  keep(id: string): Promise<string>
}

const shortestId = 20

/** Throws a retryable `ProviderError` unless `folder` is the one with the instances. */
export type RequireFolder = (options: { makes: boolean }) => Promise<void>

/** `hasInstances` is asked until the database knows an id: an empty folder claims it only with the first instance. */
export function createFolderGuard({
  folder,
  known,
  hasInstances,
  log,
}: {
  folder: string
  known: FolderId
  hasInstances(): Promise<boolean>
  log: Log
}): RequireFolder {
  const path = join(folder, 'folder-id')
  let confirmed: string | undefined
  let isLogged = false

  async function findExpected(makes: boolean): Promise<string | undefined> {
    const expected = confirmed ?? (await known.find())
    if (expected !== undefined || !(makes || (await hasInstances()))) return expected
    return await known.keep((await readId(path)) ?? (await makeId(path)))
  }

  return async ({ makes }) => {
    const expected = await findExpected(makes)
    if (expected === undefined) return
    if ((await readId(path)) === expected) {
      confirmed = expected
      isLogged = false
      return
    }
    if (!isLogged) {
      log.error(
        { folder },
        'this is not the folder with the instances: nothing is done with them from here. Start this process with the ' +
          'ATOLL_DATA_DIR, and as root the ATOLL_INSTANCE_DIR, that has them; if it is lost, npm run admin -- accept-folder',
      )
    }
    isLogged = true
    throw new ProviderError(
      'The folder with the instances is missing; the operator of this deployment must bring it back',
      {
        retryable: true,
      },
    )
  }
}

async function readId(path: string): Promise<string | undefined> {
  try {
    const id = (await readFile(path, 'utf8')).trim()
    return id.length < shortestId ? undefined : id
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Of several makers one wins, and all get the winner's. */
async function makeId(path: string): Promise<string> {
  const id = randomBytes(18).toString('base64url')
  try {
    await writeFile(path, `${id}\n`, { flag: 'wx', mode: 0o644 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
  return (await readId(path)) ?? id
}
