/** The user that instances run as when the server is root's. It owns their homes and nothing else. */
import { spawn, spawnSync } from 'node:child_process'
import { findSystemUser, type SystemUser } from '../../../../platform/data-folder/system-user.ts'
import { findProcessesWith } from './process-table.ts'

/** Not one that others share: `nobody` may be whom the embedded database runs as. */
const userName = 'atoll-instance'

export const findInstanceUser = (): SystemUser | undefined => findSystemUser(userName)

/** Finds the user, or makes it; throws with the reason when there is none then. */
export function ensureInstanceUser(): SystemUser {
  const found = findInstanceUser()
  if (found) return found
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const made = spawnSync('useradd', [...options, '--shell', '/usr/sbin/nologin', userName], { encoding: 'utf8' })
  // Looked up even if creating it failed: a concurrent start may have created the user.
  const user = findInstanceUser()
  if (!user) throw new Error(`the user ${userName} cannot be made (${made.error?.message ?? made.stderr.trim()})`)
  return user
}

/**
 * Throws with the reason unless `user` can run `node`, read `launcher` and enter `folder`. Asked by trying: permission
 * bits alone do not know of ACLs and mounts.
 */
export function requireReach(
  { name, uid, gid }: SystemUser,
  { node, launcher, folder }: { node: string; launcher: string; folder: string },
): void {
  const script = 'process.chdir(process.argv[1]); fs.accessSync(process.argv[2], fs.constants.R_OK)'
  const options = { uid, gid, cwd: '/', env: {}, encoding: 'utf8' } as const
  const tried = spawnSync(node, ['-e', script, folder, launcher], options)
  if (tried.status === 0) return
  const reason = tried.error?.message ?? /^\w*Error: .*$/m.exec(tried.stderr)?.[0] ?? `it ended with ${tried.status}`
  throw new Error(`the user ${name} cannot use ${node} and ${folder} (${reason})`)
}

/** Throws unless this process sees the environment of `user`'s: it would not know the instances it started. */
export function requireSight({ name, uid, gid }: SystemUser, node: string): void {
  const variable = `ATOLL_INSTANCE_PROBE=${process.pid}`
  const child = spawn(node, ['-e', 'process.stdin.resume()'], {
    uid,
    gid,
    cwd: '/',
    env: { ATOLL_INSTANCE_PROBE: String(process.pid) },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  let seen = false
  try {
    child.once('error', () => undefined) // it has no pid then, and is not seen
    seen = findProcessesWith([variable]).some(({ pid }) => pid === child.pid)
  } finally {
    child.kill('SIGKILL')
  }
  if (!seen) throw new Error(`processes of the user ${name} cannot be seen from here (the capability SYS_PTRACE)`)
}
