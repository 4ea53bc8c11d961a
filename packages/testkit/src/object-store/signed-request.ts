/** AWS Signature Version 4, as a service checks it: header signatures, with plain or chunked (aws-chunked) bodies. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export interface SignedRequest {
  method: string
  /** Path as it was sent, still encoded. */
  path: string
  query: string
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface Signature {
  accessKeyId: string
  /** `20280601/us-east-1/s3/aws4_request` */
  scope: string
  isGood(secretAccessKey: string): boolean
}

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()
const form = /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** The signature that a request carries; undefined: none, or one of another form. */
export function readSignature({ method, path, query, headers, body }: SignedRequest): Signature | undefined {
  const [, accessKeyId, scope, signed, signature] = form.exec(headers.authorization ?? '') ?? []
  if (!accessKeyId || !scope || !signed || !signature) return undefined
  const names = signed.split(';')
  const payload = headers['x-amz-content-sha256']
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...names.map(
      (name) =>
        `${name}:${String(headers[name] ?? '')
          .trim()
          .replaceAll(/ +/g, ' ')}`,
    ),
    '',
    signed,
    // S3's are named in a header, whatever way they come; those of other services are hashed.
    typeof payload === 'string' ? payload : sha256(body),
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  return {
    accessKeyId,
    scope,
    isGood(secretAccessKey) {
      const key = scope.split('/').reduce<string | Buffer>((each, part) => hmac(each, part), `AWS4${secretAccessKey}`)
      return timingSafeEqual(hmac(key, text), Buffer.from(signature, 'hex'))
    },
  }
}

/** The bytes within an `aws-chunked` body: `HEX;chunk-signature=…\r\nBYTES\r\n …`, the last of 0 bytes. */
export function readChunked(body: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const end = body.indexOf('\r\n', at)
    if (end < 0) throw new Error('A chunk has no head')
    const bytes = Number.parseInt(body.toString('latin1', at, end), 16)
    if (!Number.isSafeInteger(bytes)) throw new Error('A chunk says no length')
    if (bytes === 0) return Buffer.concat(parts)
    if (body.length < end + 2 + bytes) throw new Error('A chunk is cut')
    parts.push(body.subarray(end + 2, end + 2 + bytes))
    at = end + 2 + bytes + 2
  }
}
