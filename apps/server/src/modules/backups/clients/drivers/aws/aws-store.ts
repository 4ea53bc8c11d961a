/** AWS, or what speaks as it does: STS AssumeRole with a session policy, and ListObjectsV2. */
import { AwsClient } from 'aws4fetch'
import { type CloudStore, CloudStoreError } from '../../cloud-store.ts'
import { sessionPolicy } from './session-policy.ts'

export interface AwsStoreOptions {
  region: string
  bucket: string
  /** What the grants' sessions assume; its own policy bounds them, too. */
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

  async function ask(service: 'sts' | 's3', url: string, init: RequestInit = {}): Promise<string> {
    const signal = AbortSignal.timeout(requestMs)
    const answer = await client.fetch(url, { ...init, signal, aws: { service } }).catch((error: unknown) => {
      throw new CloudStoreError(`${service} did not answer`, { cause: error })
    })
    const text = await answer.text()
    if (!answer.ok) throw new CloudStoreError(`${service} answered ${answer.status} ${leafOf(text, 'Code') ?? ''}`)
    return text
  }

  return {
    ...{ cloud: 'aws', region, bucket, url: s3Url },
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
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const text = await ask('sts', `${stsUrl}/`, { method: 'POST', headers, body: body.toString() })
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
      let bytes = 0
      for (let after: string | undefined; ; ) {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/` })
        if (after !== undefined) query.set('continuation-token', after)
        const text = await ask('s3', `${s3Url}/${bucket}?${query}`)
        for (const [, size] of text.matchAll(/<Size>(\d+)<\/Size>/g)) bytes += Number(size)
        if (leafOf(text, 'IsTruncated') !== 'true') return bytes
        after = leafOf(text, 'NextContinuationToken')
        if (after === undefined) throw new CloudStoreError('s3 cut a list and named no next page')
      }
    },
  }
}

/** Text of the first element of this name; AWS's answers hold no others within it. */
function leafOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
