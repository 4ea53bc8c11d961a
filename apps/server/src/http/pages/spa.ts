/**
 * A built single-page app: its files as they are, precompressed where a `.br` lies beside them, and `index.html` for
 * its pages, and for every other address that a browser navigates to. The page brings its own content security policy.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RuntimeConfig, runtimeConfigName } from '@atoll/contract/identity'
import { shorten } from '@atoll/contract/wire'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomToken } from '../../platform/crypto.ts'
import { installRoot } from '../../platform/install.ts'
import { Refusal } from '../../platform/refusal.ts'
import { isProductPath, pathOf, sendRefusal } from '../request/answers.ts'
import { isUndecodable } from '../request/malformed-request.ts'
import { isPagePath } from './page-paths.ts'

export interface SpaOptions {
  /** Folder with index.html. */
  dist: string
  /** Addresses of its pages, as in `page-paths.ts`. */
  pages: readonly string[]
  /** Origins the page may call besides its own, or `http:` and `https:` for any. */
  connect: readonly string[]
  /** Written into each page, for a page that would ask for it first thing. */
  config?: () => RuntimeConfig
  /** The wallet reads codes with WebAssembly and the camera. */
  scanner: boolean
  /** Hosts, as browsers name them, from which its pages lead to another address. */
  moved?: { from: readonly string[]; to: string }
}

export type PageApp = 'console' | 'wallet'

/** Where `npm run build` leaves the pages of an app. */
export function distOf(app: PageApp): string {
  return join(installRoot, `apps/${app}/dist`)
}

/** Names under assets/ carry a hash of their content (Vite), so they never change. */
const immutable = 'public, max-age=31536000, immutable'

export async function serveSpa(app: FastifyInstance, options: SpaOptions): Promise<void> {
  if (existsSync(options.dist)) {
    await app.register(fastifyStatic, {
      root: options.dist,
      index: false,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      // A folder is not a file: left to @fastify/send, `/` is refused instead of answered with the page.
      allowedPath: (path) => !path.endsWith('/'),
      setHeaders(reply, path) {
        reply.header('cache-control', path.startsWith(join(options.dist, 'assets')) ? immutable : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler((request, reply) => {
    const isMalformed = isUndecodable(request)
    const { moved, pages } = options
    if (isNavigation(request, pages)) {
      // Not for good: a name may come back, and is then among the earlier ones and the one of now.
      if (moved?.from.includes(request.host) && request.host !== new URL(moved.to).host && !isMalformed)
        return reply.header('cache-control', 'no-store').redirect(moved.to + request.url, 302)
      return sendPage(options, reply.status(isMalformed ? 400 : 200))
    }
    if (isMalformed) return sendRefusal(new Refusal('requestMalformed', { what: 'path' }), request, reply, 400)
    const path = shorten(pathOf(request), 80)
    const key = isProductPath(path) ? 'callUnknown' : 'addressUnknown'
    return sendRefusal(new Refusal(key, { path }), request, reply, 404)
  })
}

function isNavigation(request: FastifyRequest, pages: readonly string[]): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request)
  // Monitors that check whether the site is up name no type.
  if (isPagePath(pages, path)) return true
  return !isProductPath(path) && (request.headers.accept ?? '').includes('text/html')
}

function sendPage(options: SpaOptions, reply: FastifyReply): FastifyReply {
  const file = join(options.dist, 'index.html')
  if (!existsSync(file)) {
    return reply.status(503).type('text/plain; charset=utf-8').send('The pages are not built yet: npm run build\n')
  }
  const nonce = randomToken(16)
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', pagePolicy(options, nonce))
    .header('permissions-policy', `camera=(${options.scanner ? 'self' : ''}), microphone=(), geolocation=()`)
    .send(withHead(readFileSync(file, 'utf8'), options, nonce))
}

/** Where the page finds the nonce for style elements it makes (Vite's convention), and its configuration. */
function withHead(html: string, { config }: SpaOptions, nonce: string): string {
  const text = config && JSON.stringify(config()).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  const configMeta = text === undefined ? '' : `<meta name="${runtimeConfigName}" content="${text}">`
  // By function: in a replacement's text `$` has a meaning.
  return html.replace('</head>', () => `<meta property="csp-nonce" nonce="${nonce}">${configMeta}</head>`)
}

function pagePolicy({ connect, scanner }: SpaOptions, nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'self'${scanner ? " 'wasm-unsafe-eval'" : ''}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    // Pictures of accounts are named by the API's address, whatever name the page was opened by.
    `img-src ${["'self'", 'data:', 'blob:', ...connect.filter((origin) => !origin.endsWith(':'))].join(' ')}`,
    `connect-src ${["'self'", ...connect].join(' ')}`,
    ...(scanner ? ["media-src 'self' blob:", "worker-src 'self'"] : []),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
