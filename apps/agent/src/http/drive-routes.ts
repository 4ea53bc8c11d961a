/** The drive over HTTP (contract, `personal-server.ts`). */
import type { ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { driveOrders, EntryMove, FolderCreate } from '@atoll/contract/personal-server'
import { parseRange } from '../drive/byte-range.ts'
import type { Drive } from '../drive/drive.ts'
import type { DriveFile } from '../drive/drive-file.ts'
import type { ListPage } from '../drive/drive-list.ts'
import type { DriveLocks } from '../drive/drive-locks.ts'
import type { FileStamp } from '../drive/file-stamp.ts'
import { HttpProblem } from '../kernel/problem.ts'
import { contentDisposition } from './content-disposition.ts'
import { type Exchange, getQuery, letSend, readBody, readOffset, sendJson, sendNothing } from './exchange.ts'
import { isRangeMeant, isUnchanged, readModifiedAt, requireConditions, requireMeant } from './preconditions.ts'
import type { RouteTable } from './router.ts'

/** Types that a browser may show: none can run a script in this origin. */
const inlineTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/plain; charset=utf-8',
  '.pdf': 'application/pdf',
}

/** Whatever the bytes are, they get no script, no form and no origin. */
const filePolicy =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; media-src 'self'; img-src 'self'; frame-ancestors 'none'"
/**
 * Browsers refuse to show a PDF in a sandbox. Their viewers run in an origin of their own; the type with `nosniff`
 * keeps every other content from being a page. Only our own pages may frame it.
 */
const pdfPolicy = "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'self'"

/** Longest text to search for, characters. */
const maxQuery = 256

export function driveRoutes(drive: Drive, locks: DriveLocks): RouteTable {
  return {
    'GET /api/drive/list': async ({ res, url }) =>
      sendJson(res, 200, await drive.list(getQuery(url, 'path'), readPage(url))),
    'GET /api/drive/search': (exchange) => search(drive, exchange),
    'PUT /api/drive/file': (exchange) => {
      const path = getQuery(exchange.url, 'path')
      return upload(drive, exchange, { path, check: () => locks.require(path, { isMember: true }) })
    },
    'GET /api/drive/file': (exchange) => download(drive, exchange, getQuery(exchange.url, 'path')),
    'POST /api/drive/folder': async ({ req, res }) => {
      const { path } = await readBody(req, FolderCreate)
      locks.require(path, { isMember: true })
      sendJson(res, 201, await drive.makeFolder(path))
    },
    'POST /api/drive/move': async ({ req, res }) => {
      const { from, to } = await readBody(req, EntryMove)
      const check = (present: FileStamp | undefined) => {
        for (const path of [from, to]) locks.require(path, { isMember: true, isTree: true })
        requireConditions(req.headers, present)
      }
      sendJson(res, 200, (await drive.move(from, to, { check })).entry)
    },
    'DELETE /api/drive/entry': async ({ req, res, url }) => {
      const path = getQuery(url, 'path')
      await drive.remove(path, (present) => {
        locks.require(path, { isMember: true, isTree: true })
        requireConditions(req.headers, present)
      })
      sendNothing(res)
    },
  }
}

async function search(drive: Drive, { res, url }: Exchange): Promise<void> {
  const query = getQuery(url, 'query').trim()
  if (query === '' || query.length > maxQuery)
    throw new HttpProblem(400, 'badParameter', `query: needs 1 to ${maxQuery} characters`)
  const gone = new AbortController()
  res.once('close', () => gone.abort())
  const options = { offset: readOffset(url), signal: gone.signal }
  sendJson(res, 200, await drive.search(getQuery(url, 'path'), query, options))
}

function readPage(url: URL): ListPage {
  const wanted = url.searchParams.get('by') ?? 'name'
  const by = driveOrders.find((order) => order === wanted)
  if (!by) throw new HttpProblem(400, 'badParameter', `by: must be one of ${driveOrders.join(', ')}`)
  return { offset: readOffset(url), by, descending: url.searchParams.get('descending') === '1' }
}

interface UploadOptions {
  path: string
  /** Throws to refuse, before the body and before it is put in place. */
  check(): void
  /** Done before the answer. */
  whenPut?(): Promise<void>
}

export async function upload(
  drive: Drive,
  { req, res }: Exchange,
  { path, check, whenPut }: UploadOptions,
): Promise<void> {
  if (req.headers['content-encoding'] !== undefined)
    throw new HttpProblem(400, 'badParameter', 'content-encoding: send the file as it is')
  // Taken for the whole it would leave a file of one part (RFC 9110, 14.5).
  if (req.headers['content-range'] !== undefined)
    throw new HttpProblem(400, 'badParameter', 'content-range: send the file as a whole')
  const modifiedAt = readModifiedAt(req.headers)
  const header = req.headers['content-length']
  const { entry, isNew, stamp } = await drive.write(path, req, {
    length: header === undefined ? undefined : Number(header),
    replace: true,
    check: (present) => {
      check()
      requireConditions(req.headers, present)
    },
    modifiedAt,
    onAccepted: () => letSend(req, res),
  })
  await whenPut?.()
  res.setHeader('etag', stamp.etag)
  res.setHeader('last-modified', formatModified(stamp.modifiedAt))
  if (modifiedAt) res.setHeader('x-oc-mtime', 'accepted')
  sendJson(res, isNew ? 201 : 200, entry)
}

export async function download(drive: Drive, { req, res, url }: Exchange, path: string): Promise<void> {
  const file = await drive.open(path)
  try {
    requireMeant(req.headers, file)
    setFileHeaders(res, file, url.searchParams.get('inline') === '1')
    if (isUnchanged(req.headers, file)) {
      res.writeHead(304)
      res.end()
      return
    }
    const range = isRangeMeant(req.headers['if-range'], file) ? parseRange(req.headers.range, file.size) : 'whole'
    if (range === 'unsatisfiable') {
      res.writeHead(416, { 'content-range': `bytes */${file.size}`, 'content-length': 0 })
      res.end()
      return
    }
    const { start, end } = range === 'whole' ? { start: 0, end: file.size - 1 } : range
    if (range !== 'whole') res.setHeader('content-range', `bytes ${start}-${end}/${file.size}`)
    res.writeHead(range === 'whole' ? 200 : 206, { 'content-length': end - start + 1 })
    if (req.method === 'HEAD' || end < start) res.end()
    else await pipeline(file.stream(start, end), res)
  } finally {
    await file.close()
  }
}

function setFileHeaders(res: ServerResponse, file: DriveFile, wantsInline: boolean): void {
  const inlineType = wantsInline ? inlineTypes[extname(file.name).toLowerCase()] : undefined
  res.setHeader('content-type', inlineType ?? 'application/octet-stream')
  res.setHeader('content-disposition', contentDisposition(inlineType ? 'inline' : 'attachment', file.name))
  res.setHeader('content-security-policy', inlineType === inlineTypes['.pdf'] ? pdfPolicy : filePolicy)
  res.setHeader('accept-ranges', 'bytes')
  res.setHeader('cache-control', 'private, no-cache')
  res.setHeader('etag', file.etag)
  res.setHeader('last-modified', formatModified(file.modifiedAt))
}

/** A file may be of the future, as its writer said; an answer is not (RFC 9110, 8.8.2.1). */
function formatModified(modifiedAt: Date): string {
  return new Date(Math.min(modifiedAt.getTime(), Date.now())).toUTCString()
}
