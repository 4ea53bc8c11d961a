/** How S3 is reached; which bucket is for what, the parts that keep something there say. */
import { z } from 'zod'
import { ConfigError } from '../../settings/read-settings.ts'
import { HttpUrl, secret, setting, type ValuesOf } from '../../settings/setting.ts'
import type { S3Options } from './s3-client.ts'

const Text = z.string().min(1).max(300).optional()

export const s3Settings = {
  ATOLL_S3_URL: setting(
    HttpUrl.optional(),
    undefined,
    'Address of the S3 service that keeps backups.',
    'https://s3.ATOLL_S3_REGION.amazonaws.com',
  ),
  ATOLL_S3_REGION: setting(z.string().regex(/^[a-z0-9-]{1,40}$/), 'us-east-1', 'Region of its buckets.'),
  ATOLL_S3_ACCESS_KEY_ID: setting(Text, undefined, 'Access key of the S3 service.', 'none'),
  ATOLL_S3_SECRET_ACCESS_KEY: secret(Text, 'Secret of that access key.', 'none'),
}

/** `wantedBy`: the setting that names the bucket. Throws `ConfigError` naming what is missing beside it. */
export function s3OptionsOf(
  values: ValuesOf<typeof s3Settings>,
  { bucket, wantedBy }: { bucket: string; wantedBy: string },
): S3Options {
  const required = (name: 'ATOLL_S3_ACCESS_KEY_ID' | 'ATOLL_S3_SECRET_ACCESS_KEY') => {
    const value = values[name]
    if (value === undefined) throw new ConfigError(`${name}: is missing; ${wantedBy} is set`)
    return value
  }
  const region = values.ATOLL_S3_REGION
  return {
    bucket,
    region,
    url: values.ATOLL_S3_URL ?? `https://s3.${region}.amazonaws.com`,
    accessKeyId: required('ATOLL_S3_ACCESS_KEY_ID'),
    secretAccessKey: required('ATOLL_S3_SECRET_ACCESS_KEY'),
  }
}
