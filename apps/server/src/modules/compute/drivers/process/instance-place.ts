/**
 * Where instances live and what they run. As an ordinary user: in the data folder, from the checkout. As root: as a
 * user of their own, who may not be able to enter the checkout or the data folder, so both lie elsewhere:
 *   <runDir>                  copies of agent and Node (`runtime-copy.ts`)
 *   <instanceDir>/<name>/     homes and the driver's own files; the name comes from the data folder's path, so that
 *                             servers on two data folders never meet, not even on copies of one database
 * Homes of earlier runs are in the data folder: each moves when it is booted next (`instance-home.ts`).
 */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDataFolder } from '../../../../platform/data-folder/data-folder.ts'
import type { Log } from '../../../../platform/log.ts'
import { ensureInstanceUser, requireReach, requireSight } from './instance-user.ts'
import { copyRuntime, type InstanceRuntime, makeOpenFolder } from './runtime-copy.ts'

export interface InstancePlace {
  /** Instances live in `instances/` under it. */
  dataDir: string
  /** Another folder with homes, which are used as well. */
  formerDir?: string
  /** Default: the agent of this checkout, as this process's user. */
  runtime?: InstanceRuntime
  /** As in `PlaceOptions`. */
  resticProgram?: string | undefined
}

export interface PlaceOptions {
  dataDir: string
  runDir: string
  instanceDir: string
  /** The restic with which instances make backups; undefined: the one that each finds. */
  resticProgram?: string | undefined
}

/** Makes it ready, as root; when that fails the reason is logged and instances stay as they are. */
export function prepareInstancePlace(options: PlaceOptions, log: Log): InstancePlace {
  const { dataDir, runDir, instanceDir, resticProgram } = options
  const inherited = resticProgram === undefined ? {} : { resticProgram }
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return { dataDir, ...inherited }
  ensureDataFolder(dataDir)
  const former = realpathSync(dataDir)
  const folder = join(instanceDir, createHash('sha256').update(former).digest('hex').slice(0, 16))
  try {
    const user = ensureInstanceUser()
    const runtime = copyRuntime(runDir, user, resticProgram)
    makeOpenFolder(instanceDir, 0o711)
    makeOpenFolder(folder, 0o711)
    makeOpenFolder(join(folder, 'instances'), 0o711)
    requireReach(user, { ...runtime, folder: join(folder, 'instances') })
    requireSight(user, runtime.node)
    for (const name of ['folder-id', 'deployment.json']) moveFile(join(former, name), join(folder, name))
    log.info({ folder, user: user.name }, 'instances of process run as a user of their own')
    warnOfFormerHomes({ former, folder, log })
    return { dataDir: folder, formerDir: former, runtime, ...inherited }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn(
      { runDir, instanceDir },
      `Instances of process run as root, because ${reason}. See ATOLL_RUN_DIR and ATOLL_INSTANCE_DIR in --help`,
    )
    const place = existsSync(join(folder, 'folder-id')) ? { dataDir: folder, formerDir: former } : { dataDir }
    return { ...place, ...inherited }
  }
}

/** Only one of both folders may say that it has the instances. */
function moveFile(from: string, to: string): void {
  if (!existsSync(from)) return
  if (!existsSync(to)) {
    // Not a rename: the folders may be on two file systems.
    copyFileSync(from, `${to}.new`)
    renameSync(`${to}.new`, to)
  }
  rmSync(from, { force: true })
}

function warnOfFormerHomes({ former, folder, log }: { former: string; folder: string; log: Log }): void {
  const homes = join(former, 'instances')
  const count = existsSync(homes) ? readdirSync(homes).length : 0
  if (count === 0) return
  if (statSync(homes).dev === statSync(folder).dev) {
    log.info({ count, from: homes }, 'instances of earlier runs move, and run as that user, when they are started next')
    return
  }
  log.warn(
    { count, homes },
    'Instances of earlier runs stay where they are and run as root: they are on another file system than ATOLL_INSTANCE_DIR',
  )
}
