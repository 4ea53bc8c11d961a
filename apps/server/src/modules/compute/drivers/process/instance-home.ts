/** Brings a home to where it belongs and gives it to its user, once, before its instance boots. */
import { execFile } from 'node:child_process'
import { lchown, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SystemUser } from '../../../../platform/data-folder/system-user.ts'
import type { Log } from '../../../../platform/log.ts'
import { ProviderError } from '../../provider/compute-provider.ts'
import { hasCode, type InstanceFolders } from './instance-folder.ts'
import { findInstanceUser } from './instance-user.ts'
import type { InstanceRuntime } from './runtime-copy.ts'

/**
 * Where, with which programs and as which user the instance boots. Called while nothing runs in its home. A home that
 * cannot be given to the user stays as it is; one that belongs to the user never runs as root again.
 */
export async function settleHome({
  instanceId,
  folders,
  runtime,
  fromCheckout,
  log,
}: {
  instanceId: string
  folders: InstanceFolders
  runtime: InstanceRuntime
  /** Used where `runtime` cannot be. */
  fromCheckout: InstanceRuntime
  log: Log
}): Promise<{ home: string; runtime: InstanceRuntime }> {
  const home = folders.home(instanceId)
  const { user } = runtime
  if (user) {
    try {
      await folders.requireMovable(instanceId)
      await giveTo(home, user)
      return { home: await folders.bringHome(instanceId), runtime }
    } catch (error) {
      // Another caller moved it meanwhile, or took it away.
      if (folders.home(instanceId) !== home) return { home: folders.home(instanceId), runtime }
      if (hasCode(error, 'ENOENT')) throw error
      log.warn({ err: error, instanceId, home }, 'this instance stays where it is and runs as root')
    }
  }
  if (process.getuid?.() === 0 && (await stat(home)).uid === findInstanceUser()?.uid) {
    throw new ProviderError('Its own user cannot run it here; the operator of this deployment must mend that', {
      retryable: true,
    })
  }
  return { home, runtime: fromCheckout }
}

/** Gives `home` and all in it to `user`, unless it is theirs. */
async function giveTo(home: string, { uid, gid }: SystemUser): Promise<void> {
  const owner = await stat(home)
  if (owner.uid === uid && owner.gid === gid) return
  const entries = (await readdir(home)).map((name) => join(home, name))
  // Not by names read here: owners' files may have names that are no text.
  if (entries.length > 0) await promisify(execFile)('chown', ['-hR', `${uid}:${gid}`, ...entries])
  // Last: what was interrupted is seen and done again.
  await lchown(home, uid, gid)
}
