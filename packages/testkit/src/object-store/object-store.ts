/**
 * A double of AWS's S3 and STS, for tests: it is not AWS, and what passes here is not thereby proved there.
 * It checks signatures (v4), session tokens, their end and their policies, and the hash of what is put; it keeps
 * objects in memory. One bucket; the long-lived key may do everything in it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAllowed, type SessionPolicy } from './session-policy.ts'
import { readChunked, readSignature } from './signed-request.ts'

/**
 * Faults of one request: 500, 503 SlowDown, 403 for what lacks a right or is archived, an error after a 200 (as copies
 * have), or the connection is cut before (`cut`) or after it took effect.
 */
export type StoreFault = 'error' | 'denied' | 'archived' | 'slowDown' | 'errorInside' | 'cut' | 'cutAfter'

export interface StoreRequest {
  method: string
  /** Decoded; empty: the bucket. */
  key: string
  /** The caller's key: the long-lived one, or one that STS gave; empty before it is read. */
  accessKeyId: string
}

export interface ObjectStore extends AsyncDisposable {
  /** Of S3 and of STS alike. */
  url: string
  bucket: string
  roleArn: string
  accessKeyId: string
  secretAccessKey: string
  objects: Map<string, { bytes: Buffer; at: Date }>
  /** Requests that came, the newest last; `status` 0: nothing was answered. */
  requests: (StoreRequest & { status: number })[]
  /** The fault of a request; by default none has one. */
  faultOf: (request: StoreRequest) => StoreFault | undefined
}

interface Session {
  secretAccessKey: string
  token: string | undefined
  expiresAt: Date | undefined
  policy: SessionPolicy | undefined
}

class StoreError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, message = code) {
    super(message)
    this.status = status
    this.code = code
  }
}

const escapeXml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
/** AWS's own limits of a session: 15 min to 12 h. */
const sessionSeconds = { least: 900, most: 43_200 }
const mostKeys = 1000

/** `now`: what its clock shows; sessions end by it. */
export async function runObjectStore({ now = () => new Date() }: { now?: () => Date } = {}): Promise<ObjectStore> {
  const accessKeyId = `AKIA${randomBytes(8).toString('hex').toUpperCase()}`
  const secretAccessKey = randomBytes(30).toString('base64')
  const sessions = new Map<string, Session>([
    [accessKeyId, { secretAccessKey, token: undefined, expiresAt: undefined, policy: undefined }],
  ])
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on TCP
  const store: ObjectStore = {
    url: `http://127.0.0.1:${port}`,
    bucket: 'atoll-backups',
    roleArn: 'arn:aws:iam::000000000000:role/atoll-clients',
    accessKeyId,
    secretAccessKey,
    objects: new Map(),
    requests: [],
    faultOf: () => undefined,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return store

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const [path = '/', query = ''] = url.split('?')
    const seen: StoreRequest = { method, key: '', accessKeyId: '' }
    try {
      const [, bucket = '', ...rest] = path.split('/').map(decodeURIComponent)
      seen.key = rest.join('/')
      const fault = store.faultOf(seen)
      if (fault === 'cut') throw new Error('cut')
      const body = await readBody(request)
      const signature = readSignature({ method, path, query, headers, body })
      const session = sessions.get(signature?.accessKeyId ?? '')
      seen.accessKeyId = signature?.accessKeyId ?? ''
      if (fault === 'error') throw new StoreError(500, 'InternalError')
      if (fault === 'denied') throw new StoreError(403, 'AccessDenied')
      if (fault === 'archived') throw new StoreError(403, 'InvalidObjectState')
      if (fault === 'errorInside') throw new StoreError(200, 'InternalError')
      if (fault === 'slowDown') throw new StoreError(503, 'SlowDown', 'Please reduce your request rate.')
      if (!signature || !session) throw new StoreError(403, 'InvalidAccessKeyId')
      if (!signature.isGood(session.secretAccessKey)) throw new StoreError(403, 'SignatureDoesNotMatch')
      if (session.token !== headers['x-amz-security-token']) throw new StoreError(403, 'InvalidToken')
      if (session.expiresAt && session.expiresAt <= now()) throw new StoreError(400, 'ExpiredToken')
      const isSts = signature.scope.endsWith('/sts/aws4_request')
      const answered = isSts
        ? assumeRole(session, new URLSearchParams(body.toString()))
        : serve(session, { ...seen, bucket, query: new URLSearchParams(query), headers, body })
      if (fault === 'cutAfter') throw new Error('cut')
      send(response, seen, answered)
    } catch (error) {
      if (!(error instanceof StoreError)) {
        store.requests.push({ ...seen, status: 0 })
        request.socket.destroy()
        return
      }
      const { status, code, message } = error
      const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`
      send(response, seen, { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(text) })
    }
  }

  function send(response: ServerResponse, seen: StoreRequest, { status = 200, headers = {}, body }: Answer): void {
    store.requests.push({ ...seen, status })
    const length = body && { 'content-length': body.length }
    response.writeHead(status, { 'x-amz-request-id': randomBytes(8).toString('hex'), ...length, ...headers })
    response.end(seen.method === 'HEAD' ? undefined : body)
  }

  /** `AssumeRole` alone, with a session policy. */
  function assumeRole(session: Session, fields: URLSearchParams): Answer {
    if (session.token !== undefined) throw new StoreError(403, 'AccessDenied')
    if (fields.get('Action') !== 'AssumeRole') throw new StoreError(400, 'InvalidAction')
    if (fields.get('RoleArn') !== store.roleArn) throw new StoreError(403, 'AccessDenied')
    if (!/^[\w+=,.@-]{2,64}$/.test(fields.get('RoleSessionName') ?? '')) throw new StoreError(400, 'ValidationError')
    const seconds = Number(fields.get('DurationSeconds'))
    if (!(seconds >= sessionSeconds.least && seconds <= sessionSeconds.most)) {
      throw new StoreError(400, 'ValidationError', 'DurationSeconds')
    }
    const policy = fields.get('Policy') ?? ''
    if (policy.length > 2048) throw new StoreError(400, 'PackedPolicyTooLarge')
    const key = `ASIA${randomBytes(8).toString('hex').toUpperCase()}`
    // Base64 with + and /, like AWS's: a client that sends them in a form must escape them.
    const secret = randomBytes(30).toString('base64')
    const token = `FwoG+/${randomBytes(180).toString('base64')}`
    const expiresAt = new Date(now().getTime() + seconds * 1000)
    sessions.set(key, { secretAccessKey: secret, token, expiresAt, policy: JSON.parse(policy) as SessionPolicy })
    const text = `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
<AccessKeyId>${key}</AccessKeyId><SecretAccessKey>${secret}</SecretAccessKey><SessionToken>${token}</SessionToken>
<Expiration>${expiresAt.toISOString()}</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`
    return { headers: { 'content-type': 'text/xml' }, body: Buffer.from(text) }
  }

  function serve(session: Session, asked: Asked): Answer {
    const { method, bucket, key, query, headers, body } = asked
    if (bucket !== store.bucket) throw new StoreError(404, 'NoSuchBucket')
    const arn = `arn:aws:s3:::${bucket}`
    const allow = (action: string, prefix?: string) => {
      const resource = key === '' ? arn : `${arn}/${key}`
      const access = { action: `s3:${action}`, resource, prefix }
      if (session.policy && !isAllowed(session.policy, access)) throw new StoreError(403, 'AccessDenied')
    }
    if (key === '') {
      if (query.has('location')) {
        allow('GetBucketLocation')
        return { body: Buffer.from('<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>') }
      }
      allow('ListBucket', query.get('prefix') ?? undefined)
      return method === 'HEAD' ? {} : { body: Buffer.from(listText(query)) }
    }
    const found = store.objects.get(key)
    if (method === 'PUT') {
      allow('PutObject')
      const source = headers['x-amz-copy-source']
      if (typeof source === 'string') return copyObject(session, decodeURIComponent(source), key)
      const bytes = headers['x-amz-content-sha256']?.startsWith('STREAMING-') ? readChunked(body) : body
      requireHash(headers, bytes)
      store.objects.set(key, { bytes, at: now() })
      return { headers: { etag: `"${createHash('md5').update(bytes).digest('hex')}"` } }
    }
    if (method === 'DELETE') {
      allow('DeleteObject')
      store.objects.delete(key)
      return { status: 204 }
    }
    allow('GetObject')
    if (!found) throw new StoreError(404, 'NoSuchKey')
    return objectAnswer(found, headers.range)
  }

  /** `source`: `/bucket/key`. */
  function copyObject(session: Session, source: string, key: string): Answer {
    const [, bucket, from = ''] = /^\/?([^/]+)\/(.+)$/.exec(source) ?? []
    const access = { action: 's3:GetObject', resource: `arn:aws:s3:::${bucket}/${from}` }
    if (session.policy && !isAllowed(session.policy, access)) throw new StoreError(403, 'AccessDenied')
    const found = bucket === store.bucket ? store.objects.get(from) : undefined
    if (!found) throw new StoreError(404, 'NoSuchKey')
    store.objects.set(key, { bytes: found.bytes, at: now() })
    const at = now().toISOString()
    return { body: Buffer.from(`<CopyObjectResult><LastModified>${at}</LastModified></CopyObjectResult>`) }
  }

  function listText(query: URLSearchParams): string {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? query.get('start-after') ?? ''
    const delimiter = query.get('delimiter') ?? ''
    const keys = [...store.objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const folderOf = (key: string) => {
      const at = delimiter ? key.indexOf(delimiter, prefix.length) : -1
      return at < 0 ? undefined : key.slice(0, at + delimiter.length)
    }
    const entries = [...new Set(keys.map((key) => folderOf(key) ?? key))].filter((name) => name > after)
    const page = entries.slice(0, Math.min(Number(query.get('max-keys') ?? mostKeys), mostKeys))
    const isCut = page.length < entries.length
    const lines = page.map((name) => {
      const object = store.objects.get(name)
      if (!object) return `<CommonPrefixes><Prefix>${escapeXml(name)}</Prefix></CommonPrefixes>`
      const at = object.at.toISOString()
      return `<Contents><Key>${escapeXml(name)}</Key><LastModified>${at}</LastModified><Size>${object.bytes.length}</Size></Contents>`
    })
    const next = isCut ? `<NextContinuationToken>${escapeXml(page.at(-1) ?? '')}</NextContinuationToken>` : ''
    return `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${store.bucket}</Name><IsTruncated>${isCut}</IsTruncated>${next}${lines.join('')}</ListBucketResult>`
  }
}

interface Asked extends StoreRequest {
  bucket: string
  query: URLSearchParams
  headers: IncomingMessage['headers'] & { 'x-amz-content-sha256'?: string }
  body: Buffer
}

interface Answer {
  status?: number
  headers?: Record<string, string>
  body?: Buffer
}

function requireHash(headers: Asked['headers'], bytes: Buffer): void {
  const said = headers['x-amz-content-sha256'] ?? ''
  if (/^[0-9a-f]{64}$/.test(said) && createHash('sha256').update(bytes).digest('hex') !== said) {
    throw new StoreError(400, 'XAmzContentSHA256Mismatch')
  }
  const md5 = headers['content-md5']
  if (md5 !== undefined && createHash('md5').update(bytes).digest('base64') !== md5) {
    throw new StoreError(400, 'BadDigest')
  }
}

function objectAnswer({ bytes, at }: { bytes: Buffer; at: Date }, range: string | undefined): Answer {
  const headers = {
    'last-modified': at.toUTCString(),
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    'accept-ranges': 'bytes',
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (first === undefined) return { headers, body: bytes }
  const start = Number(first)
  const end = last ? Math.min(Number(last), bytes.length - 1) : bytes.length - 1
  if (start > end) throw new StoreError(416, 'InvalidRange')
  const partly = { ...headers, 'content-range': `bytes ${start}-${end}/${bytes.length}` }
  return { status: 206, headers: partly, body: bytes.subarray(start, end + 1) }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer) // no encoding was set
  return Buffer.concat(parts)
}
