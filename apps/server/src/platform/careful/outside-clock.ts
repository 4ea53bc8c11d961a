import { fetch } from 'undici'

const withinMs = 5000

/**
 * What the `Date` of an HTTPS answer says; undefined where nobody is reached. Any answer counts, an error too; plain
 * HTTP does not, since anybody on the way could say what time it is.
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
