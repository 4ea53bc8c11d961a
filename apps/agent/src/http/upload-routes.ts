/**
 * Uploads that go on where they were cut: tus 1.0 with creation, termination and expiration, at one address. The
 * library @tus/server would bring its own server, stores and errors; the drive has its own room, conditions and places.
 */
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { DriveLocks } from '../drive/drive-locks.ts'
import type { FileStamp } from '../drive/file-stamp.ts'
import type { PartialUploads, UploadNote, UploadState } from '../drive/partial-uploads.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { type Exchange, getQuery, letSend, sendNothing } from './exchange.ts'
import { readModifiedAt, requireConditions } from './preconditions.ts'
import type { RouteTable } from './router.ts'

const address = '/api/drive/uploads'
const version = '1.0.0'
/** Characters of `Upload-Metadata`: a path in base64 fits. */
const longestMetadata = 8192

/** A number of bytes in a header. */
const Bytes = z
  .string()
  .regex(/^\d{1,16}$/)
  .transform(Number)
  .refine(Number.isSafeInteger)
const conditionNames = ['if-match', 'if-none-match', 'if-unmodified-since'] as const

export function uploadRoutes(uploads: PartialUploads, locks: DriveLocks): RouteTable {
  const checkFor =
    ({ path, conditions }: Pick<UploadNote, 'path' | 'conditions'>) =>
    (present: FileStamp | undefined): void => {
      locks.require(path, { isMember: true })
      requireConditions(conditions, present)
    }

  return {
    [`OPTIONS ${address}`]: ({ res }) => {
      speak(res)
      res.setHeader('tus-version', version)
      res.setHeader('tus-extension', 'creation,termination,expiration')
      sendNothing(res)
    },
    [`POST ${address}`]: async ({ req, res }) => {
      requireVersion(req)
      const conditions = Object.fromEntries(
        conditionNames.flatMap((name) => (req.headers[name] === undefined ? [] : [[name, String(req.headers[name])]])),
      )
      const note = {
        path: readPath(req.headers['upload-metadata']),
        length: readBytes(req, 'upload-length'),
        conditions,
        modifiedAt: readModifiedAt(req.headers)?.getTime() ?? null,
      }
      const { id, ...state } = await uploads.begin(note, checkFor(note))
      if (note.length === 0) await uploads.receive(id, Readable.from([]), { offset: 0, checkFor })
      speak(res, state)
      res.writeHead(201, { location: `${address}?id=${id}`, 'content-length': 0, 'cache-control': 'no-store' })
      res.end()
    },
    // HEAD, by which a client learns where to go on.
    [`GET ${address}`]: async ({ res, url }) => {
      const state = await uploads.find(getQuery(url, 'id'))
      speak(res, state)
      res.setHeader('upload-length', state.length)
      sendNothing(res)
    },
    [`PATCH ${address}`]: async ({ req, res, url }) => {
      requireVersion(req)
      if (req.headers['content-type'] !== 'application/offset+octet-stream')
        throw new HttpProblem(415, 'badParameter', 'content-type: must be application/offset+octet-stream')
      const state = await uploads.receive(getQuery(url, 'id'), req, {
        offset: readBytes(req, 'upload-offset'),
        checkFor,
        onAccepted: () => letSend(req, res),
      })
      speak(res, state)
      if (state.written) res.setHeader('etag', state.written.stamp.etag)
      sendNothing(res)
    },
    [`DELETE ${address}`]: async ({ req, res, url }) => {
      requireVersion(req)
      await uploads.end(getQuery(url, 'id'))
      speak(res)
      sendNothing(res)
    },
  }
}

function speak(res: Exchange['res'], state?: UploadState): void {
  res.setHeader('tus-resumable', version)
  if (!state) return
  res.setHeader('upload-offset', state.offset)
  res.setHeader('upload-expires', new Date(state.expiresAt).toUTCString())
}

function requireVersion(req: IncomingMessage): void {
  if (req.headers['tus-resumable'] !== version)
    throw new HttpProblem(412, 'badParameter', `tus-resumable: must be ${version}`)
}

function readBytes(req: IncomingMessage, name: 'upload-length' | 'upload-offset'): number {
  const read = Bytes.safeParse(req.headers[name])
  if (!read.success) throw new HttpProblem(400, 'badParameter', `${name}: must be a number of bytes`)
  return read.data
}

/** `path L25vdGVzLnR4dA==`, beside whatever else a client says about the file. */
function readPath(header: string | string[] | undefined): string {
  const pairs = String(header ?? '')
    .slice(0, longestMetadata)
    .split(',')
    .map((pair) => pair.trim().split(' '))
  const encoded = pairs.find(([key]) => key === 'path')?.[1]
  if (!encoded) throw new HttpProblem(400, 'badParameter', 'upload-metadata: needs path')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    throw new HttpProblem(400, 'badParameter', 'upload-metadata: path is not valid UTF-8')
  }
}
