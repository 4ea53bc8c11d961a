/**
 * Task `backup.password`: another password opens the repository, and the current one no longer. The new key is added
 * and has opened the repository before the old one goes, and between the two the new password takes the place of the
 * one that is kept here. Killed anywhere, the one that is kept opens the repository, and the task run again goes on
 * there.
 */
import type { PasswordResult } from '@atoll/contract/agents'
import { normalPassword, passwordFault } from '@atoll/contract/backups'
import type { BackupKeys } from './repository/backup-keys.ts'
import { openRepository, type RepositoryOptions } from './repository/repository.ts'
import { BackupProblem } from './repository/restic-failure.ts'
import { KeyList, readResticJson } from './repository/restic-output.ts'

interface PasswordChange extends Omit<RepositoryOptions, 'password' | 'mayMake'> {
  keys: BackupKeys
  params: { backupId: string; box: string; oldKey: string }
}

export async function changePassword({
  keys,
  params: { backupId, box, oldKey },
  ...options
}: PasswordChange): Promise<PasswordResult> {
  const begunAt = performance.now()
  const wanted = await keys.find(backupId, box)
  if (passwordFault(wanted)) throw new BackupProblem('unfit_password', 'No key is made with it.')
  const newPassword = normalPassword(wanted)
  const open = (password: string) => openRepository({ ...options, password, mayMake: false })
  let opened = await open(newPassword).catch((error: unknown) => {
    if (error instanceof BackupProblem && error.failure === 'wrong_password') return undefined
    throw error
  })
  if (!opened) {
    const { repository } = await open(await keys.find(backupId, undefined))
    await repository.run(['key', 'add', '--new-password-file=/dev/fd/5'], { newPassword })
    opened = await open(newPassword)
  }
  await keys.keep(backupId, opened.password)
  const { repository } = opened
  // Its names are cut short. The one in use is never removed.
  const others = readResticJson(await repository.read(['key', 'list', '--json']), KeyList).filter((key) => !key.current)
  const old = others.find(({ id }) => oldKey.startsWith(id))
  if (old) await repository.run(['key', 'remove', old.id])
  const left = others.length - (old ? 1 : 0)
  return { outcome: 'done', durationMs: Math.round(performance.now() - begunAt), left }
}
