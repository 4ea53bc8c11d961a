/** Settings of the backup of this deployment's own data. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Path, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'

/** Five fields of numbers, `*`, ranges, steps and lists, as the job queue reads them. */
const cron = /^[\d*,/-]+( [\d*,/-]+){4}$/

export const selfBackupSettings = {
  ATOLL_SELF_BACKUP: setting(
    z.string().regex(cron, 'must be five fields of cron syntax in UTC, such as "30 2 * * *"').optional(),
    undefined,
    'When this deployment backs up its own database, settings and catalogue (cron syntax, UTC).',
    'only when npm run backup:self is run',
  ),
  ATOLL_SELF_BACKUP_REPOSITORY: secret(
    z.string().min(1).max(2000).optional(),
    'Repository of that backup, as restic names it; a folder must be outside ATOLL_DATA_DIR.',
    'none',
  ),
  ATOLL_SELF_BACKUP_PASSWORD_FILE: setting(
    Path.optional(),
    undefined,
    'File with the password of that repository, outside ATOLL_DATA_DIR. Keep a copy elsewhere.',
    'none',
  ),
}

export interface SelfBackupConfig {
  /** Cron; undefined: only by hand. */
  schedule: string | undefined
  repository: string
  /** Absolute. */
  passwordFile: string
}

/** Throws `ConfigError` when one is given without the others it needs, or lies in the data folder. */
export function selfBackupConfig(
  values: ValuesOf<typeof selfBackupSettings>,
  { dataDir, root }: { dataDir: string; root: string },
): { selfBackup: SelfBackupConfig | undefined } {
  const { ATOLL_SELF_BACKUP: schedule, ATOLL_SELF_BACKUP_REPOSITORY: repository } = values
  const passwordFile = values.ATOLL_SELF_BACKUP_PASSWORD_FILE
  if (schedule === undefined && repository === undefined && passwordFile === undefined) return { selfBackup: undefined }
  if (repository === undefined) throw new ConfigError('ATOLL_SELF_BACKUP_REPOSITORY: is missing')
  if (passwordFile === undefined) throw new ConfigError('ATOLL_SELF_BACKUP_PASSWORD_FILE: is missing')
  // A backup inside the data folder would be lost together with it.
  const isFolder = !/^[a-z0-9]+:/i.test(repository) || repository.startsWith('local:')
  const folder = resolve(root, repository.replace(/^local:/, ''))
  if (isFolder && isWithin(dataDir, folder)) {
    throw new ConfigError('ATOLL_SELF_BACKUP_REPOSITORY: must lie outside the data folder (ATOLL_DATA_DIR)')
  }
  const password = resolve(root, passwordFile)
  if (isWithin(dataDir, password)) {
    throw new ConfigError('ATOLL_SELF_BACKUP_PASSWORD_FILE: must lie outside the data folder (ATOLL_DATA_DIR)')
  }
  return { selfBackup: { schedule, repository: isFolder ? folder : repository, passwordFile: password } }
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(realPath(folder), realPath(path))
  return way === '' || !(way === '..' || way.startsWith('../'))
}

/** Links followed, as far as there is anything yet. */
function realPath(path: string): string {
  if (existsSync(path) || dirname(path) === path) return existsSync(path) ? realpathSync(path) : path
  return join(realPath(dirname(path)), basename(path))
}
