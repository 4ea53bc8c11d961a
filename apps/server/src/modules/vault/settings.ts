/** Settings of where copies are kept. */
import { join, resolve } from 'node:path'
import { HttpUrl, Path, Port, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const vaultSettings = {
  ATOLL_VAULT_PORT: setting(Port, '4803', 'Port on which backups are written and read.'),
  ATOLL_VAULT_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which machines reach the vault; those that are not this one need it.',
    'http://127.0.0.1:ATOLL_VAULT_PORT',
  ),
  ATOLL_VAULT_DIR: setting(
    Path.optional(),
    undefined,
    'Folder for backups, as restic keeps them; every vault of a deployment must see the same one.',
    'vault in the data folder',
  ),
}

export function vaultConfig(
  values: ValuesOf<typeof vaultSettings>,
  { dataDir, root }: { dataDir: string; root: string },
) {
  return {
    vaultPort: values.ATOLL_VAULT_PORT,
    vaultUrl: values.ATOLL_VAULT_URL ?? `http://127.0.0.1:${values.ATOLL_VAULT_PORT}`,
    /** Absolute. */
    vaultDir: values.ATOLL_VAULT_DIR === undefined ? join(dataDir, 'vault') : resolve(root, values.ATOLL_VAULT_DIR),
  }
}
