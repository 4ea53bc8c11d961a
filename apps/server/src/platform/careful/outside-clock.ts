import { fetch } from 'undici'

const withinMs = 5000

/**
 * The `Date` header of an HTTPS answer; undefined where the server is not reached. Any answer counts, an error too;
 * plain HTTP does not, since anybody on the path could forge the time.
 */
export async function readOutsideClock(url: string | undefined): Promise<Date | undefined> {
  if (url === undefined || !url.startsWith('https:')) return undefined
  try {
    const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(withinMs) })
    const at = Date.parse(answer.headers.get('date') ?? '')
    return Number.isNaN(at) ? undefined : new Date(at)
  } catch {
    return undefined // not reached: the caller goes by its own clocks
  }
}
