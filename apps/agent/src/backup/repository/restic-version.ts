/** Which restic runs here, and what its versions do differently: all of that is in `differencesOf`. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

/** Debian 12 has it; what came before writes another format of repository. */
const least = [0, 14, 0] as const
const answerLimitMs = 10_000

export interface Restic {
  /** Absolute path of the program. */
  program: string
  /** `0.14.0` */
  version: string
}

/**
 * The first that runs and is 0.14.0 or newer, of `configured` and those in `searchPath`; undefined where there is none.
 */
export async function findRestic(
  configured: string | undefined,
  searchPath = process.env['PATH'] ?? '',
): Promise<Restic | undefined> {
  const folders = searchPath.split(delimiter).filter(isAbsolute)
  const places = [...(configured ? [configured] : []), ...folders.map((folder) => join(folder, 'restic'))]
  for (const program of places) {
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false, // not there, or not for us
    )
    const version = isThere ? await askVersion(program) : undefined
    if (version && !isOlder(version, least)) return { program, version }
  }
  return undefined
}

async function askVersion(program: string): Promise<string | undefined> {
  return await new Promise((resolve) => {
    // A program of another processor or C library does not start: it is not our restic.
    execFile(program, ['version'], { timeout: answerLimitMs, env: {} }, (_, stdout) =>
      resolve(/^restic (\d+\.\d+\.\d+)/.exec(stdout)?.[1]),
    )
  })
}

export interface Differences {
  /** `restore --json` says how far it is (0.17); before, its bytes on the disk do. */
  restoreSaysProgress: boolean
  /** More of `restore`: zeros become holes (0.15), so that a sparse file takes no more room than it did. */
  restoreOptions: readonly string[]
}

export function differencesOf(version: string): Differences {
  return {
    restoreSaysProgress: !isOlder(version, [0, 17, 0]),
    restoreOptions: isOlder(version, [0, 15, 0]) ? [] : ['--sparse'],
  }
}

function isOlder(version: string, than: readonly number[]): boolean {
  const parts = version.split('.').map(Number)
  const at = than.findIndex((part, place) => part !== parts[place])
  return at !== -1 && (parts[at] ?? 0) < (than[at] ?? 0)
}
