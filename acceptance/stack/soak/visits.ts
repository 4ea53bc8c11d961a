/** Visitors of many clusters, and what must have been counted of them. */
import { once } from 'node:events'
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { SeededRandom } from '@atoll/testkit'

/** One request and its answer. */
export interface Exchange {
  clusterId: string
  /** Which edge was asked. */
  edge: number
  /** Of bodies, both ways. */
  bytes: number
  beganAt: number
  endedAt: number
  /** Whether all of it arrived; of what broke off, an edge may have counted a part. */
  isWhole: boolean
}

/** An edge was killed between these two, ms. */
export interface EdgeKill {
  edge: number
  from: number
  to: number
}

/** Largest body, bytes. */
const largest = 200_000

/** `lanes` visitors who go on asking clusters at random, each about every `everyMs`, until `stop`. */
export function startVisits(
  places: readonly [Place, ...Place[]],
  edges: readonly [number, ...number[]],
  { random, lanes, everyMs }: { random: SeededRandom; lanes: number; everyMs: number },
) {
  const exchanges: Exchange[] = []
  const agent = new http.Agent({ keepAlive: true })
  let isOver = false
  const visit = async () => {
    while (!isOver) {
      const { clusterId, host } = random.pick(places)
      const edge = random.between(0, edges.length - 1)
      // From a few bytes to many: most requests are small.
      const [sent, asked] = [0, 0].map(() => Math.floor(largest ** (random.between(0, 1000) / 1000)))
      const port = edges[edge] ?? 0
      const beganAt = Date.now()
      const isWhole = await exchange({ port, host, agent, sent: sent ?? 0, asked: asked ?? 0 })
      const bytes = (sent ?? 0) + (asked ?? 0)
      if (isWhole !== undefined) exchanges.push({ clusterId, edge, bytes, beganAt, endedAt: Date.now(), isWhole })
      await pause(random.between(0, everyMs * 2))
    }
  }
  const all = Promise.all(Array.from({ length: lanes }, visit))
  return {
    exchanges,
    async stop() {
      isOver = true
      await all
      agent.destroy()
    },
  }
}

export interface Place {
  clusterId: string
  /** By which edges know it. */
  host: string
}

/** Longest that one may take: an edge that is killed may leave its visitor without a word. ms */
const giveUpMs = 30_000

/** Whether the answer came whole and as asked; undefined: nobody took the request. */
async function exchange(ask: { port: number; host: string; agent: http.Agent; sent: number; asked: number }) {
  const { port, host, agent, sent, asked } = ask
  const signal = AbortSignal.timeout(giveUpMs)
  const headers = { host, 'content-length': sent }
  const request = http.request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: `/${asked}`,
    headers,
    agent,
    signal,
  })
  try {
    const answered = once(request, 'response', { signal })
    request.end(Buffer.alloc(sent, 'x'))
    const [answer] = await answered
    let length = 0
    for await (const chunk of answer) length += chunk.length
    return answer.statusCode === 200 && length === asked
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED' ? undefined : false
  }
}

/** The allowed range of a cluster's readings: at least `least`, at most `most`, bytes. */
export interface Bounds {
  least: number
  most: number
}

/**
 * By cluster: what arrived whole must be there, but for what passed an edge within `lostMs` before it was killed; what
 * broke off may be there.
 */
export function boundsOf(
  exchanges: readonly Exchange[],
  kills: readonly EdgeKill[],
  lostMs: number,
): Map<string, Bounds> {
  const bounds = new Map<string, Bounds>()
  for (const { clusterId, edge, bytes, beganAt, endedAt, isWhole } of exchanges) {
    const mine = bounds.get(clusterId) ?? { least: 0, most: 0 }
    // The end of an answer may be read after the edge that sent it is gone.
    const isAtRisk = kills.some((kill) => kill.edge === edge && beganAt <= kill.to && endedAt >= kill.from - lostMs)
    mine.most += bytes
    if (isWhole && !isAtRisk) mine.least += bytes
    bounds.set(clusterId, mine)
  }
  return bounds
}
