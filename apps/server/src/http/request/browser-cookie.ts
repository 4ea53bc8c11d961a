/**
 * A cookie that names a browser, which distinguishes a wallet in it from one on another device. It is HttpOnly, goes to
 * no other site (SameSite=Strict), and is set only in answer to our own pages: an attacker who could set it in a
 * victim's browser, by a form that posts itself, could make that browser vouch for a code it never showed.
 */
import { codeCookieName } from '@atoll/contract/accounts'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface BrowserCookie {
  /** The value of the cookie; undefined without one. */
  readonly id: string | undefined
  /** The request was made by script of a page of this very origin. */
  readonly isOwnPage: boolean
  /** Gives the browser its cookie, with the answer. */
  keep(id: string): void
}

/** Longer than a code lives: a page left open all day shows code after code. Seconds. */
const lifetime = 7 * 24 * 60 * 60

export function browserCookieOf(request: FastifyRequest, reply: FastifyReply): BrowserCookie {
  return {
    id: cookieOf(request, codeCookieName),
    isOwnPage: isOwnPage(request),
    keep(id) {
      const secure = request.protocol === 'https' ? '; Secure' : ''
      reply.header(
        'set-cookie',
        `${codeCookieName}=${id}; Path=/v2/user; Max-Age=${lifetime}; HttpOnly; SameSite=Strict${secure}`,
      )
    },
  }
}

/** The value of a cookie as it was sent; undefined without one. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  const pair = (request.headers.cookie ?? '').split(/; */).find((part) => part.startsWith(`${name}=`))
  return pair?.slice(name.length + 1)
}

/** Browsers send both headers with every POST by script, and neither can be set by a page. */
function isOwnPage(request: FastifyRequest): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === request.host
}
