/**
 * Only this server's own pages may send a request that changes something. SameSite=Strict alone is not enough here: the
 * clusters of one deployment share a registrable domain (`reef.atoll.test`, `sand.atoll.test`), so to a browser they
 * are one site, and a neighbour's page could send the owner's cookie along. Programs without a browser send neither
 * header.
 */
import type { IncomingMessage } from 'node:http'
import { HttpProblem } from '../kernel/problem.ts'

/** Throws 403 forbidden when a browser says that `req` comes from a page of another origin. */
export function checkSameOrigin(req: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': fetchSite } = req.headers
  const isForeign =
    (typeof fetchSite === 'string' && fetchSite !== 'same-origin' && fetchSite !== 'none') ||
    (origin !== undefined && hostOf(origin) !== host?.toLowerCase())
  if (isForeign) throw new HttpProblem(403, 'forbidden', 'This request comes from a page of another site.')
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined // `null` for sandboxed pages
}
