/**
 * As whom PostgreSQL runs. It refuses root, and wants its user to have a passwd entry. So:
 * an ordinary user runs it as is; root hands it to `postgres` or `nobody`; where that user cannot reach the programs
 * or the data folder (a clone under /root), it runs in a user namespace that shows root as that user: the files stay
 * root's, only the program sees another number. An ordinary user without passwd entry is shown as one in the same way.
 */
import { spawnSync } from 'node:child_process'
import { platform, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { findSystemUser, type SystemUser } from '../../data-folder/system-user.ts'
import type { PostgresBinaries } from './embedded-binaries.ts'

export interface RunAs {
  /** Owner of the data folder, when it must be another than this process's user. */
  owner: { uid: number; gid: number } | undefined
  /** The command line that runs `program` with `args` as that user. */
  command(program: string, args: string[]): { file: string; args: string[]; uid?: number; gid?: number }
}

/** Chooses for programs and a data folder that both exist. Throws with what to do when no way works. */
export function chooseRunAs(binaries: PostgresBinaries, dataFolder: string): RunAs {
  const isRoot = process.getuid?.() === 0
  if (!isRoot && hasPasswdEntry()) return { owner: undefined, command: (file, args) => ({ file, args }) }

  const user = findServiceUser()
  if (!user) throw new Error(`${cannotRun(isRoot)} There is no user postgres or nobody on this machine either.`)
  if (isRoot && canReach(user, binaries, dataFolder)) {
    const { uid, gid } = user
    return { owner: { uid, gid }, command: (file, args) => ({ file, args, uid, gid }) }
  }
  const namespace = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`]
  const probe = spawnSync('unshare', [...namespace, binaries.postgres, '--version'], { encoding: 'utf8' })
  if (probe.status === 0) {
    const owner = isRoot ? { uid: 0, gid: 0 } : undefined
    return { owner, command: (program, args) => ({ file: 'unshare', args: [...namespace, program, ...args] }) }
  }
  throw new Error(
    `${cannotRun(isRoot)} The user ${user.name} cannot reach ${dirname(binaries.postgres)} or ${dataFolder}, and a user ` +
      `namespace is not available here (${(probe.error?.message ?? probe.stderr).trim()}). Move the project and ` +
      'ATOLL_DATA_DIR to a folder that every user may enter, run it as an ordinary user, or set DATABASE_URL.',
  )
}

function cannotRun(isRoot: boolean): string {
  return isRoot
    ? 'The embedded database cannot run as root.'
    : `The embedded database cannot run as user ${process.getuid?.()}, which has no entry in the passwd file.`
}

function hasPasswdEntry(): boolean {
  try {
    userInfo()
    return true
  } catch {
    // Node's way of saying that the user id has no passwd entry.
    return false
  }
}

function findServiceUser(): SystemUser | undefined {
  return platform() === 'linux' ? (findSystemUser('postgres') ?? findSystemUser('nobody')) : undefined
}

/** Asked by trying, as that user: permission bits alone do not know of ACLs and mounts. */
function canReach({ uid, gid }: SystemUser, binaries: PostgresBinaries, dataFolder: string): boolean {
  const options = { uid, gid, cwd: '/' }
  // The folder itself will belong to the user; it is the way to it that may be barred.
  const folder = spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', dirname(dataFolder)], options)
  return folder.status === 0 && spawnSync(binaries.postgres, ['--version'], options).status === 0
}
