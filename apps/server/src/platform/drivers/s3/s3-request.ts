/** Signed requests to one bucket, and what its answers say. */
import http, { type ClientRequest, type IncomingMessage } from 'node:http'
import https from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { backoffMs } from '@atoll/contract/wire'
import { AwsV4Signer } from 'aws4fetch'

export interface S3Options {
  /** Of the service, without a slash at its end; buckets are folders of it. */
  url: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The service did not do what it was asked; `message` carries no secret. `status` 0: it did not answer. */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly status: number
  constructor(message: string, { status, cause }: { status: number; cause?: unknown }) {
    super(message, { cause })
    this.status = status
  }
}

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty: the bucket itself. Of characters that a path has as they are. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
}

/** A connection on which nothing moves for so long is dead, ms. */
const idleMs = 30_000
/** Of what it complains, so much is read, bytes. */
const complaintBytes = 65_536
const tries = 4
const backoff = { firstMs: 200, longestMs: 2000 }

export type OpenRequest = (asked: S3Request & { length?: number; isAlone?: boolean }) => Promise<ClientRequest>

/** Opens requests; the caller sends the body and ends the request. `isAlone`: on a connection of its own. */
export function createS3Requests({ url, region, bucket, ...keys }: S3Options): OpenRequest {
  const { Agent, request } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true })
  return async ({ method, key, query, headers, length, isAlone }) => {
    const target = new URL(key === '' ? `${url}/${bucket}` : `${url}/${bucket}/${key}`)
    for (const [name, value] of Object.entries(query ?? {})) target.searchParams.set(name, value)
    const asked = { method, url: target.href, headers: headers ?? {}, service: 's3', region, ...keys }
    const signed = await new AwsV4Signer(asked).sign()
    const sent = { ...Object.fromEntries(signed.headers), ...(length !== undefined && { 'content-length': length }) }
    const opened = request(signed.url, { method, headers: sent, ...(!isAlone && { agent }) })
    opened.setTimeout(idleMs, () => opened.destroy(new Error(`nothing moved for ${idleMs} ms`)))
    return opened
  }
}

/** The response to a request, as soon as its head has arrived; rejects with `S3Error` when none arrives. */
export async function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return await new Promise((resolve, reject) => {
    request.once('response', resolve)
    // More than one may come.
    request.on('error', (cause) => reject(new S3Error('S3 did not answer', { status: 0, cause })))
  })
}

/** All of a short answer. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  try {
    for await (const part of answer) parts.push(part as Buffer) // no encoding was set
  } catch (cause) {
    throw new S3Error('the answer of S3 was cut', { status: 0, cause })
  }
  return Buffer.concat(parts).toString()
}

/** Throws what an answer complains of, when it does. */
export async function requireOk(answer: IncomingMessage): Promise<void> {
  const { statusCode: status = 0 } = answer
  if (status >= 200 && status < 300) return
  let text = ''
  for await (const part of answer) {
    text += String(part)
    if (text.length > complaintBytes) break
  }
  throw new S3Error(`S3 answered ${status} ${leafOf(text, 'Code') ?? ''}`, { status })
}

/** Retries what is safe to repeat when the service was overloaded, failed, or did not answer. */
export async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof S3Error && [0, 429, 500, 502, 503, 504].includes(error.status)
      if (!isPassing || failures === tries) throw error
      await delay(backoffMs(failures, backoff))
    }
  }
}

/** Text of the first element of this name; what is asked for holds no others within it. */
export function leafOf(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  return text?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
