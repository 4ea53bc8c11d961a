/** Settings of backups. */
import { z } from 'zod'
import { s3OptionsOf, type s3Settings } from '../../platform/drivers/s3/s3-settings.ts'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Count, HttpUrl, setting, type ValuesOf } from '../../platform/settings/setting.ts'

const Text = z.string().min(1).max(300).optional()

export const backupsSettings = {
  ATOLL_VAULT_RUNS: setting(Count(1, 10_000), '32', 'Backup runs at a time, of all accounts; others wait.'),
  ATOLL_CLIENT_BUCKET: setting(
    Text,
    undefined,
    'Bucket in which personal servers store their own backups with keys that last some hours; needs ATOLL_CLIENT_ROLE and the access key.',
    'none, they cannot store any',
  ),
  ATOLL_CLIENT_ROLE: setting(
    z
      .string()
      .regex(/^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,200}$/, 'must look like arn:aws:iam::123456789012:role/name')
      .optional(),
    undefined,
    'Role whose sessions those keys are.',
    'none',
  ),
  ATOLL_STS_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the service that gives those keys.',
    'https://sts.ATOLL_S3_REGION.amazonaws.com',
  ),
}

type Values = ValuesOf<typeof backupsSettings & typeof s3Settings>

/** Throws `ConfigError` naming what is missing beside ATOLL_CLIENT_BUCKET. */
export function backupsConfig(values: Values) {
  return { vaultRuns: values.ATOLL_VAULT_RUNS, clientStore: clientStoreOf(values) }
}

function clientStoreOf(values: Values) {
  const bucket = values.ATOLL_CLIENT_BUCKET
  if (bucket === undefined) return undefined
  const roleArn = values.ATOLL_CLIENT_ROLE
  if (roleArn === undefined) throw new ConfigError('ATOLL_CLIENT_ROLE: is missing; ATOLL_CLIENT_BUCKET is set')
  const { url: s3Url, ...options } = s3OptionsOf(values, { bucket, wantedBy: 'ATOLL_CLIENT_BUCKET' })
  const stsUrl = values.ATOLL_STS_URL ?? `https://sts.${options.region}.amazonaws.com`
  return { ...options, roleArn, s3Url, stsUrl }
}
