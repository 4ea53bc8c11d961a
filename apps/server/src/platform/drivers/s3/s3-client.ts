/**
 * One bucket of S3. Requests that are safe to repeat are retried when the service is overloaded (503 SlowDown), fails
 * or cuts the connection; one with a streamed body is not, because its bytes are gone: the caller has to send them
 * again.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import {
  answerOf,
  createS3Requests,
  leafOf,
  requireOk,
  retrying,
  S3Error,
  type S3Options,
  type S3Request,
  textOf,
} from './s3-request.ts'

export interface S3Object {
  key: string
  bytes: number
  at: Date
}

export interface S3Client {
  /** Undefined: it is not there. */
  head(key: string): Promise<Omit<S3Object, 'key'> | undefined>
  /** From `start` to `end`, both included; all of it when left out. One that is gone is an error of the stream. */
  read(key: string, range?: { start: number; end: number }): Readable
  /** `sha256`: what the bytes hash to, so the service refuses others; undefined: it is not known yet. */
  put(key: string, of: { bytes: number; sha256: string | undefined }): Promise<S3Upload>
  /** Within the bucket; in place of one that is there. */
  copy(from: string, to: string): Promise<void>
  /** One that is not there is success. */
  remove(key: string): Promise<void>
  list(prefix: string): AsyncIterable<S3Object>
  /** The part after `prefix` up to the next slash, of all keys that have one. */
  listFolders(prefix: string): AsyncIterable<string>
}

/** An object on its way; nobody can read it before `end`. */
export interface S3Upload {
  /** Resolves when the bytes are taken: their memory is the caller's again. */
  write(chunk: Uint8Array): Promise<void>
  /** The service has all bytes and keeps them. */
  end(): Promise<void>
  abort(): void
}

export function createS3Client(options: S3Options): S3Client {
  const openRequest = createS3Requests(options)

  async function askOnce(asked: S3Request): Promise<IncomingMessage> {
    const request = await openRequest({ ...asked, length: 0 })
    const answer = answerOf(request)
    request.end()
    const answered = await answer
    if (answered.statusCode !== 404) await requireOk(answered)
    return answered
  }

  const ask = (asked: S3Request) => retrying(() => askOnce(asked))

  const askText = (asked: S3Request) =>
    retrying(async () => {
      const answer = await askOnce(asked)
      const text = await textOf(answer)
      const code = leafOf(text, 'Code')
      // A copy that fails may say so after a 200.
      if (code !== undefined)
        throw new S3Error(`S3 answered ${code}`, { status: answer.statusCode === 404 ? 404 : 500 })
      return text
    })

  async function* pages(query: Record<string, string>): AsyncIterable<string> {
    for (let after: string | undefined; ; ) {
      const more = after !== undefined && { 'continuation-token': after }
      const text = await askText({ method: 'GET', key: '', query: { 'list-type': '2', ...query, ...more } })
      yield text
      if (leafOf(text, 'IsTruncated') !== 'true') return
      after = leafOf(text, 'NextContinuationToken')
      if (after === undefined) throw new S3Error('S3 cut a list and named no next page', { status: 200 })
    }
  }

  return {
    async head(key) {
      const answer = await ask({ method: 'HEAD', key })
      answer.resume()
      if (answer.statusCode === 404) return undefined
      const { 'content-length': bytes, 'last-modified': at } = answer.headers
      return { bytes: Number(bytes), at: new Date(at ?? 0) }
    },
    read(key, range) {
      async function* bytes() {
        const headers = range && { range: `bytes=${range.start}-${range.end}` }
        const answer = await ask({ method: 'GET', key, ...(headers && { headers }) })
        await requireOk(answer)
        yield* answer
      }
      return Readable.from(bytes(), { objectMode: false })
    },
    async put(key, { bytes, sha256 }) {
      const headers = { 'x-amz-content-sha256': sha256 ?? 'UNSIGNED-PAYLOAD' }
      // A connection that was kept may be closed just now, and the bytes that were sent on it would be lost.
      const request = await openRequest({ method: 'PUT', key, headers, length: bytes, isAlone: true })
      const answer = answerOf(request)
      answer.catch(() => undefined) // thrown by `write` and `end`
      const refused = answer.then(requireOk)
      refused.catch(() => undefined) // as above
      return {
        async write(chunk) {
          if (request.destroyed) await refused
          const taken = new Promise<'taken'>((resolve) => request.write(chunk, () => resolve('taken')))
          // It may answer before it has all: then it stops reading, and nothing signals that the memory is free.
          if ((await Promise.race([taken, refused])) === 'taken') return
          throw new S3Error('S3 answered before it had all', { status: 0 })
        },
        async end() {
          request.end()
          await refused
          ;(await answer).resume()
        },
        abort: () => void request.destroy(),
      }
    },
    async copy(from, to) {
      const headers = { 'x-amz-copy-source': `/${options.bucket}/${from}` }
      await askText({ method: 'PUT', key: to, headers })
    },
    async remove(key) {
      ;(await ask({ method: 'DELETE', key })).resume()
    },
    async *list(prefix) {
      for await (const page of pages({ prefix }))
        for (const [, object = ''] of page.matchAll(/<Contents>(.*?)<\/Contents>/gs))
          yield {
            key: leafOf(object, 'Key') ?? '',
            bytes: Number(leafOf(object, 'Size')),
            at: new Date(leafOf(object, 'LastModified') ?? 0),
          }
    },
    async *listFolders(prefix) {
      for await (const page of pages({ prefix, delimiter: '/' }))
        for (const [, folder = ''] of page.matchAll(/<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs))
          yield (leafOf(folder, 'Prefix') ?? '').slice(prefix.length, -1)
    },
  }
}
