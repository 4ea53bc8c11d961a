/** Settings of backups. */
import { z } from 'zod'
import { ConfigError } from '../../platform/settings/read-settings.ts'
import { Count, HttpUrl, secret, setting, type ValuesOf } from '../../platform/settings/setting.ts'

const Text = z.string().min(1).max(300).optional()

export const backupsSettings = {
  ATOLL_VAULT_RUNS: setting(
    Count(1, 10_000),
    '32',
    'Runs of backups that are under way at a time, of all accounts; others wait.',
  ),
  ATOLL_S3_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the S3 service that keeps backups.',
    'https://s3.ATOLL_S3_REGION.amazonaws.com',
  ),
  ATOLL_S3_REGION: setting(z.string().regex(/^[a-z0-9-]{1,40}$/), 'us-east-1', 'Region of its buckets.'),
  ATOLL_S3_ACCESS_KEY_ID: setting(Text, undefined, 'Access key of the S3 service.', 'none'),
  ATOLL_S3_SECRET_ACCESS_KEY: secret(Text, 'Secret of that access key.', 'none'),
  ATOLL_CLIENT_BUCKET: setting(
    Text,
    undefined,
    'Bucket in which personal servers store backups themselves, with keys for an hour or some; needs ATOLL_CLIENT_ROLE and the access key.',
    'none, they cannot',
  ),
  ATOLL_CLIENT_ROLE: setting(
    z
      .string()
      .regex(/^arn:[\w-]+:iam::\d{12}:role\/[\w+=,.@/-]{1,200}$/, 'must look like arn:aws:iam::123456789012:role/name')
      .optional(),
    undefined,
    'Role that those keys are sessions of.',
    'none',
  ),
  ATOLL_STS_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the service that gives those keys.',
    'https://sts.ATOLL_S3_REGION.amazonaws.com',
  ),
}

type Values = ValuesOf<typeof backupsSettings>

/** Throws `ConfigError` naming what is missing beside ATOLL_CLIENT_BUCKET. */
export function backupsConfig(values: Values) {
  return { vaultRuns: values.ATOLL_VAULT_RUNS, clientStore: clientStoreOf(values) }
}

function clientStoreOf(values: Values) {
  const bucket = values.ATOLL_CLIENT_BUCKET
  if (bucket === undefined) return undefined
  const required = (name: 'ATOLL_CLIENT_ROLE' | 'ATOLL_S3_ACCESS_KEY_ID' | 'ATOLL_S3_SECRET_ACCESS_KEY') =>
    values[name] ?? missing(`${name}: is missing; ATOLL_CLIENT_BUCKET is set`)
  const region = values.ATOLL_S3_REGION
  return {
    ...{ bucket, region, roleArn: required('ATOLL_CLIENT_ROLE') },
    s3Url: values.ATOLL_S3_URL ?? `https://s3.${region}.amazonaws.com`,
    stsUrl: values.ATOLL_STS_URL ?? `https://sts.${region}.amazonaws.com`,
    accessKeyId: required('ATOLL_S3_ACCESS_KEY_ID'),
    secretAccessKey: required('ATOLL_S3_SECRET_ACCESS_KEY'),
  }
}

function missing(message: string): never {
  throw new ConfigError(message)
}
