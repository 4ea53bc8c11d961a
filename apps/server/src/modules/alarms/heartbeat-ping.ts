import type { Log } from '../../platform/log.ts'
import { startTicker, type Ticker } from '../../platform/ticker.ts'

const everyMs = 60_000
const withinMs = 10_000

/** Asks `url` each minute while `findProblem` finds none. */
export function startHeartbeatPing(
  url: string,
  { log, findProblem }: { log: Log; findProblem(): Promise<string | undefined> },
): Ticker {
  return startTicker(everyMs, log, 'asking ATOLL_HEARTBEAT_URL', () => pingOnce(url, { log, findProblem }))
}

export async function pingOnce(
  url: string,
  { log, findProblem }: { log: Log; findProblem(): Promise<string | undefined> },
): Promise<void> {
  const problem = await findProblem()
  if (problem !== undefined) return log.warn({ problem }, 'ATOLL_HEARTBEAT_URL is not asked: this is not ready')
  const answer = await fetch(url, { signal: AbortSignal.timeout(withinMs) })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`ATOLL_HEARTBEAT_URL answered ${answer.status}`)
}
