/** Settings of where copies are kept. */
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { s3OptionsOf, type s3Settings } from '../../platform/drivers/s3/s3-settings.ts'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { HttpUrl, Path, Port, setting, type ValuesOf } from '../../platform/settings/setting.ts'

export const vaultSettings = {
  ATOLL_VAULT_PORT: setting(Port, '4803', 'Port on which backups are written and read.'),
  ATOLL_VAULT_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address at which instances reach the vault; needed by those on other machines.',
    'http://127.0.0.1:ATOLL_VAULT_PORT',
  ),
  ATOLL_VAULT_TLS_CERT: setting(
    Path.optional(),
    undefined,
    'File of the certificate, with its chain, for TLS at that port; read again every hour. Needs ATOLL_VAULT_TLS_KEY.',
    'none, plain HTTP',
  ),
  ATOLL_VAULT_TLS_KEY: setting(Path.optional(), undefined, 'File of the key of that certificate.', 'none'),
  ATOLL_VAULT_DIR: setting(
    Path.optional(),
    undefined,
    'Folder for backups, as restic keeps them; every vault of a deployment must see the same one.',
    'vault in the data folder',
  ),
  ATOLL_VAULT_BUCKET: setting(
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
      .optional(),
    undefined,
    'Bucket of the S3 service that keeps backups instead of a folder; needs the access key.',
    'none, the folder is used',
  ),
}

/** Throws `ConfigError` naming what is missing beside another setting. */
export function vaultConfig(
  values: ValuesOf<typeof vaultSettings & typeof s3Settings>,
  { dataDir, root }: { dataDir: string; root: string },
) {
  const bucket = values.ATOLL_VAULT_BUCKET
  return {
    vaultPort: values.ATOLL_VAULT_PORT,
    vaultTls: tlsFilesOf(values, root),
    vaultUrl: values.ATOLL_VAULT_URL ?? `http://127.0.0.1:${values.ATOLL_VAULT_PORT}`,
    /** Absolute. */
    vaultDir: values.ATOLL_VAULT_DIR === undefined ? join(dataDir, 'vault') : resolve(root, values.ATOLL_VAULT_DIR),
    /** Instead of the folder. */
    vaultBucket: bucket === undefined ? undefined : s3OptionsOf(values, { bucket, wantedBy: 'ATOLL_VAULT_BUCKET' }),
  }
}

/** Both or neither. Its address must then be given: a certificate is of a name. */
function tlsFilesOf(values: ValuesOf<typeof vaultSettings>, root: string) {
  const { ATOLL_VAULT_TLS_CERT: certificate, ATOLL_VAULT_TLS_KEY: key, ATOLL_VAULT_URL: url } = values
  if (certificate === undefined && key === undefined) return undefined
  if (certificate === undefined) throw new ConfigError('ATOLL_VAULT_TLS_CERT: is missing; ATOLL_VAULT_TLS_KEY is set')
  if (key === undefined) throw new ConfigError('ATOLL_VAULT_TLS_KEY: is missing; ATOLL_VAULT_TLS_CERT is set')
  if (!url?.startsWith('https:'))
    throw new ConfigError('ATOLL_VAULT_URL: must begin with https; ATOLL_VAULT_TLS_CERT is set')
  return { certificate: resolve(root, certificate), key: resolve(root, key) }
}
