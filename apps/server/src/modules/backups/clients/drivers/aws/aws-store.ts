/** AWS, or what speaks as it does: STS AssumeRole with a session policy, and ListObjectsV2. */
import { AwsClient } from 'aws4fetch'
import { createS3Client } from '../../../../../platform/drivers/s3/s3-client.ts'
import { type CloudStore, CloudStoreError } from '../../cloud-store.ts'

export interface AwsStoreOptions {
  region: string
  bucket: string
  /** The role that the grants' sessions assume; its own policy limits them, too. */
  roleArn: string
  /** Without a slash at their ends. */
  s3Url: string
  stsUrl: string
  accessKeyId: string
  secretAccessKey: string
}

/** A request that takes longer has failed, ms. */
const requestMs = 10_000
/** Of a 500 or 503, each after a pause that doubles. */
const retries = 3

export function createAwsStore({ region, bucket, roleArn, s3Url, stsUrl, ...keys }: AwsStoreOptions): CloudStore {
  const client = new AwsClient({ ...keys, region, retries, initRetryMs: 100 })

  const s3 = createS3Client({ ...keys, url: s3Url, region, bucket })

  async function askSts(body: URLSearchParams): Promise<string> {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const init = { method: 'POST', headers, body: body.toString(), signal: AbortSignal.timeout(requestMs) }
    const answer = await client.fetch(`${stsUrl}/`, { ...init, aws: { service: 'sts' } }).catch((error: unknown) => {
      throw new CloudStoreError('sts did not answer', { cause: error })
    })
    const text = await answer.text()
    if (!answer.ok) throw new CloudStoreError(`sts answered ${answer.status} ${leafOf(text, 'Code') ?? ''}`)
    return text
  }

  return {
    cloud: 'aws',
    region,
    bucket,
    url: s3Url,
    async grant({ prefix, seconds }) {
      const body = new URLSearchParams({
        Action: 'AssumeRole',
        Version: '2011-06-15',
        RoleArn: roleArn,
        // Names the prefix in the bucket's log; AWS takes these characters alone.
        RoleSessionName: prefix.replaceAll(/[^\w+=,.@-]/g, '-').slice(0, 64),
        DurationSeconds: String(seconds),
        Policy: JSON.stringify(sessionPolicy({ bucket, prefix })),
      })
      const text = await askSts(body)
      const required = (name: string) => {
        const value = leafOf(text, name)
        if (!value) throw new CloudStoreError(`sts answered without ${name}`)
        return value
      }
      return {
        accessKeyId: required('AccessKeyId'),
        secretAccessKey: required('SecretAccessKey'),
        sessionToken: required('SessionToken'),
        expiresAt: new Date(required('Expiration')),
      }
    },
    async measure(prefix) {
      let all = 0
      for await (const { bytes } of s3.list(`${prefix}/`)) all += bytes
      return all
    },
    async empty(prefix) {
      for await (const { key } of s3.list(`${prefix}/`)) await s3.remove(key)
    },
  }
}

/** Text of the first element of this name in an answer of STS, which holds no others within it. */
function leafOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}

/**
 * The permissions of a grant (design/backups): read, list and put under its prefix, and delete only locks of the
 * repositories there, which are at `prefix/restic/NAME`. The role's own policy limits it further.
 */
function sessionPolicy({ bucket, prefix }: { bucket: string; prefix: string }) {
  const arn = `arn:aws:s3:::${bucket}`
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:GetObject', 's3:PutObject'], Resource: [`${arn}/${prefix}/*`] },
      { Effect: 'Allow', Action: ['s3:DeleteObject'], Resource: [`${arn}/${prefix}/restic/*/locks/*`] },
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: [arn],
        Condition: { StringLike: { 's3:prefix': [`${prefix}/*`] } },
      },
    ],
  }
}
