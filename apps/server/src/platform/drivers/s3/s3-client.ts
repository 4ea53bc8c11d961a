/**
 * One bucket of S3 by the AWS SDK, which is loaded when it is first used. The SDK retries requests that are safe to
 * repeat when the service is overloaded, fails or cuts the connection; one with a streamed body is not, because its
 * bytes are gone: the caller has to send them again.
 */
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import type { S3Client as Sdk } from '@aws-sdk/client-s3'

export interface S3Options {
  /** Of the service, without a slash at its end; buckets are folders of it. */
  url: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/**
 * The service did not do what it was asked; `message` carries no secret. `status` 0: it did not answer. `code` is the
 * service's own word for it.
 */
export class S3Error extends Error {
  override name = 'S3Error'
  readonly status: number
  readonly code: string
  constructor(message: string, { status, code = '', cause }: { status: number; code?: string; cause?: unknown }) {
    super(message, { cause })
    this.status = status
    this.code = code
  }
}

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

/** A connection on which nothing moves for so long is dead, ms. */
const idleMs = 30_000

export function createS3Client(options: S3Options): S3Client {
  const Bucket = options.bucket
  let loaded: Promise<Awaited<ReturnType<typeof load>>> | undefined
  const sdk = () => {
    loaded ??= load(options)
    return loaded
  }
  const ask = async <T>(work: (using: Awaited<ReturnType<typeof load>>) => Promise<T>): Promise<T> => {
    const using = await sdk()
    return await work(using).catch((error: unknown) => {
      throw s3Error(error)
    })
  }

  async function* pages(prefix: string, delimiter?: '/') {
    const { commands, client } = await sdk()
    try {
      yield* commands.paginateListObjectsV2({ client }, { Bucket, Prefix: prefix, Delimiter: delimiter })
    } catch (error) {
      throw s3Error(error)
    }
  }

  return {
    async head(key) {
      return await ask(async ({ commands, client }) => {
        try {
          const { ContentLength, LastModified } = await client.send(
            new commands.HeadObjectCommand({ Bucket, Key: key }),
          )
          return { bytes: ContentLength ?? 0, at: LastModified ?? new Date(0) }
        } catch (error) {
          if (s3Error(error).status === 404) return undefined
          throw error
        }
      })
    },
    read(key, range) {
      async function* bytes() {
        const Range = range && `bytes=${range.start}-${range.end}`
        const { Body } = await ask(({ commands, client }) =>
          client.send(new commands.GetObjectCommand({ Bucket, Key: key, Range })),
        )
        if (!(Body instanceof Readable)) throw new S3Error('S3 answered without a body', { status: 0 })
        yield* Body
      }
      return Readable.from(bytes(), { objectMode: false })
    },
    async put(key, { bytes, sha256 }) {
      const { commands, uploads } = await sdk()
      const body = new PassThrough()
      const command = new commands.PutObjectCommand({ Bucket, Key: key, Body: body, ContentLength: bytes })
      if (sha256 !== undefined) {
        command.middlewareStack.add(
          (next) => (args) => {
            // The signature covers it, and the service compares it with the bytes.
            const request = args.request as { headers: Record<string, string> } // of the step `build`
            request.headers['x-amz-content-sha256'] = sha256
            return next(args)
          },
          { step: 'build', name: 'knownHash' },
        )
      }
      const gone = new AbortController()
      const answer = uploads.send(command, { abortSignal: gone.signal }).catch((error: unknown) => {
        body.destroy()
        throw s3Error(error)
      })
      answer.catch(() => undefined) // thrown by `write` and `end`
      return {
        async write(chunk) {
          // A copy, as the SDK says nothing of when it has sent them.
          const taken = new Promise<'taken'>((resolve) => body.write(Buffer.from(chunk), () => resolve('taken')))
          // It may answer before it has all: then it stops reading, and nothing signals that the memory is free.
          if ((await Promise.race([taken, answer])) === 'taken') return
          throw new S3Error('S3 answered before it had all', { status: 0 })
        },
        async end() {
          body.end()
          await answer
        },
        abort: () => gone.abort(),
      }
    },
    async copy(from, to) {
      await ask(({ commands, client }) =>
        client.send(new commands.CopyObjectCommand({ Bucket, Key: to, CopySource: `${Bucket}/${from}` })),
      )
    },
    async remove(key) {
      await ask(({ commands, client }) => client.send(new commands.DeleteObjectCommand({ Bucket, Key: key })))
    },
    async *list(prefix) {
      for await (const { Contents } of pages(prefix))
        for (const { Key, Size, LastModified } of Contents ?? [])
          yield { key: Key ?? '', bytes: Size ?? 0, at: LastModified ?? new Date(0) }
    },
    async *listFolders(prefix) {
      for await (const { CommonPrefixes } of pages(prefix, '/'))
        for (const { Prefix = '' } of CommonPrefixes ?? []) yield Prefix.slice(prefix.length, -1)
    },
  }
}

const say = () => undefined
/** Every failure is thrown; without this the SDK writes some to the console, too, between the lines of the log. */
const silent = { debug: say, info: say, warn: say, error: say }

/** `uploads`: on a connection for each, as one that was kept may just be closed, and streamed bytes would be lost. */
async function load({ url, region, accessKeyId, secretAccessKey }: S3Options) {
  const commands = await import('@aws-sdk/client-s3')
  const open = (keepAlive: boolean): Sdk =>
    new commands.S3Client({
      endpoint: url,
      region,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
      maxAttempts: 4,
      logger: silent,
      // Services that speak as AWS does know no checksums at the end of a body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: idleMs,
        socketTimeout: idleMs,
        httpAgent: new HttpAgent({ keepAlive }),
        httpsAgent: new HttpsAgent({ keepAlive }),
      },
    })
  return { commands, client: open(true), uploads: open(false) }
}

function s3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } } // of the SDK
  const status = $metadata?.httpStatusCode ?? 0
  return new S3Error(status === 0 ? 'S3 did not answer' : `S3 answered ${status} ${name}`, {
    status,
    code: name,
    cause: error,
  })
}
