/**
 * The pages of the personal server: the build in `apps/agent/web/dist`, Brotli-compressed by the build where it pays.
 */
import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hasErrorCode } from '../kernel/atomic-file.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { Exchange } from './exchange.ts'
import { pagePolicy } from './security-headers.ts'

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

const noPages = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Personal server</title></head><body><p>This personal server runs, but its pages were not built. Its API answers under /api.</p></body></html>`

/** Answers GET and HEAD from `folder`; a path without an extension gets the app's page. */
export async function sendPage(folder: string, exchange: Exchange): Promise<void> {
  const path = safePath(exchange.url.pathname)
  if (extname(path) === '' || path === '/index.html') await sendApp(folder, exchange)
  else await sendAsset(folder, path, exchange)
}

async function sendApp(folder: string, { req, res }: Exchange): Promise<void> {
  const nonce = randomBytes(16).toString('base64url')
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch((error: unknown) => {
    if (hasErrorCode(error, 'ENOENT')) return noPages
    throw error
  })
  // Where the page finds the nonce for style elements it makes; Vite's convention.
  const page = Buffer.from(html.replace('</head>', `<meta property="csp-nonce" nonce="${nonce}"></head>`))
  res.setHeader('content-security-policy', pagePolicy(nonce))
  res.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store', // a page kept with an old nonce would lose its styles
    'content-length': page.length,
  })
  res.end(req.method === 'HEAD' ? undefined : page)
}

async function sendAsset(folder: string, path: string, { req, res }: Exchange): Promise<void> {
  const found = await findFile(join(folder, path), acceptsBrotli(req.headers['accept-encoding']))
  if (!found) throw new HttpProblem(404, 'notFound', 'There is no such page.')
  const etag = `"${found.modified.toString(36)}-${found.size.toString(36)}"`
  // Vite names assets by their content, so they never change; everything else is asked for again.
  res.setHeader('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  res.setHeader('vary', 'accept-encoding')
  res.setHeader('etag', etag)
  if (req.headers['if-none-match'] === etag) {
    res.writeHead(304)
    res.end()
    return
  }
  res.setHeader('content-type', mediaTypes[extname(path)] ?? 'application/octet-stream')
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
