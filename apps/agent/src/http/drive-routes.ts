/** The drive over HTTP (contract, `personal-server.ts`). */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EntryMove, FolderCreate } from '@atoll/contract/personal-server'
import { parseRange } from '../drive/byte-range.ts'
import type { Drive, DriveFile } from '../drive/drive.ts'
import { contentDisposition } from './content-disposition.ts'
import { type Exchange, getQuery, readBody, sendJson, sendNothing } from './exchange.ts'
import { HttpProblem } from './problem.ts'
import type { RouteTable } from './router.ts'

/** What a browser may show itself: nothing that can run a script in this origin. */
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

export function driveRoutes(drive: Drive): RouteTable {
  return {
    'GET /api/drive/list': async ({ res, url }) => sendJson(res, 200, await drive.list(getQuery(url, 'path'))),
    'GET /api/drive/search': (exchange) => search(drive, exchange),
    'PUT /api/drive/file': (exchange) => upload(drive, exchange),
    'GET /api/drive/file': (exchange) => download(drive, exchange),
    'POST /api/drive/folder': async ({ req, res }) => {
      const { path } = await readBody(req, FolderCreate)
      sendJson(res, 201, await drive.makeFolder(path))
    },
    'POST /api/drive/move': async ({ req, res }) => {
      const { from, to } = await readBody(req, EntryMove)
      sendJson(res, 200, await drive.move(from, to))
    },
    'DELETE /api/drive/entry': async ({ res, url }) => {
      await drive.remove(getQuery(url, 'path'))
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
  sendJson(res, 200, await drive.search(getQuery(url, 'path'), query, gone.signal))
}

async function upload(drive: Drive, { req, res, url }: Exchange): Promise<void> {
  if (req.headers['content-encoding'] !== undefined)
    throw new HttpProblem(400, 'badParameter', 'content-encoding: send the file as it is')
  const header = req.headers['content-length']
  const { entry, isNew } = await drive.write(getQuery(url, 'path'), req, {
    length: header === undefined ? undefined : Number(header),
    replace: req.headers['if-none-match'] !== '*',
    onAccepted: () => {
      if (req.headers.expect) res.writeContinue()
    },
  })
  sendJson(res, isNew ? 201 : 200, entry)
}

async function download(drive: Drive, { req, res, url }: Exchange): Promise<void> {
  const file = await drive.open(getQuery(url, 'path'))
  try {
    setFileHeaders(res, file, url.searchParams.get('inline') === '1')
    if (isUnchanged(req, file)) {
      res.writeHead(304)
      res.end()
      return
    }
    const range = hasChanged(req.headers['if-range'], file) ? 'whole' : parseRange(req.headers.range, file.size)
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
  res.setHeader('last-modified', file.modifiedAt.toUTCString())
}

function isUnchanged(req: IncomingMessage, file: DriveFile): boolean {
  const tags = req.headers['if-none-match']
  return (
    tags !== undefined && (tags === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === file.etag))
  )
}

/** If-Range: the range is meant only if the file is still the one the visitor has the rest of. */
function hasChanged(ifRange: string | string[] | undefined, file: DriveFile): boolean {
  if (ifRange === undefined) return false
  return ifRange !== file.etag && ifRange !== file.modifiedAt.toUTCString()
}
