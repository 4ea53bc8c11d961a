/** The pages of the personal server: the build in `apps/agent/web/dist`, Brotli-compressed by the build where it pays. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Exchange } from './exchange.ts'
import { HttpProblem } from './problem.ts'

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

const noPages = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Personal server</title><p>This personal server runs, but its pages were not built. Its API answers under /api.`

/** Answers GET and HEAD from `folder`; a path without a file and without an extension gets the app's page. */
export async function sendPage(folder: string, { req, res, url }: Exchange): Promise<void> {
  const path = safePath(url.pathname)
  const wanted = extname(path) === '' ? '/index.html' : path
  const found = await findFile(join(folder, wanted), acceptsBrotli(req.headers['accept-encoding']))
  if (!found && wanted === '/index.html') return sendPlain(res, req.method === 'HEAD')
  if (!found) throw new HttpProblem(404, 'notFound', 'There is no such page.')
  const etag = `"${found.modified.toString(36)}-${found.size.toString(36)}"`
  // Vite names assets by their content, so they never change; everything else is asked for again.
  res.setHeader('cache-control', wanted.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  res.setHeader('vary', 'accept-encoding')
  res.setHeader('etag', etag)
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304)
    res.end()
    return
  }
  res.setHeader('content-type', mediaTypes[extname(wanted)] ?? 'application/octet-stream')
  if (found.isBrotli) res.setHeader('content-encoding', 'br')
  res.writeHead(200, { 'content-length': found.size })
  if (req.method === 'HEAD') res.end()
  else await pipeline(createReadStream(found.path), res)
}

/** The decoded path; 404 for one that would leave the folder or is not well-formed. */
function safePath(pathname: string): string {
  try {
    const path = decodeURIComponent(pathname)
    if (!path.includes('\0') && !path.includes('\\') && !path.split('/').includes('..')) return path
  } catch {
    // not well-formed: the same answer
  }
  throw new HttpProblem(404, 'notFound', 'There is no such page.')
}

async function findFile(path: string, brotli: boolean) {
  for (const isBrotli of brotli ? [true, false] : [false]) {
    const candidate = isBrotli ? `${path}.br` : path
    const stats = await stat(candidate).catch(() => undefined) // not there or not readable: not a page
    if (stats?.isFile()) return { path: candidate, isBrotli, size: stats.size, modified: Math.round(stats.mtimeMs) }
  }
  return undefined
}

function acceptsBrotli(header: string | string[] | undefined): boolean {
  return /(^|,)\s*br\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/.test(String(header ?? ''))
}

function sendPlain(res: Exchange['res'], isHead: boolean): void {
  res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
  res.end(isHead ? undefined : noPages)
}
