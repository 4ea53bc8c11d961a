/** Load on an edge of the bench: bulk both ways, and small requests. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { fileURLToPath } from 'node:url'

/** Bytes of one download or upload, and how many of them at a time. */
const bulkBytes = 96 * 1024 * 1024
const bulkStreams = 4
const smallConnections = 32
const smallMs = 1500

export interface Run {
  /** MB a second. */
  down: number
  up: number
  /** Small requests a second. */
  small: number
}

/** A visitor of `host` at the edge at `port`, who keeps connections. */
export interface Visitor {
  bulk(): Promise<Pick<Run, 'down' | 'up'>>
  small(ms: number): Promise<number>
  leave(): void
}

/** Bytes that the edge at `port` carries to `host` and back. */
export async function measure(port: number, host: string): Promise<Run> {
  const visitor = visit(port, host)
  const run = { ...(await visitor.bulk()), small: await visitor.small(smallMs) }
  visitor.leave()
  return run
}

export function visit(port: number, host: string): Visitor {
  const agent = new http.Agent({ keepAlive: true })
  const perSecond = async (work: () => Promise<number>) => {
    const begun = performance.now()
    const amount = await work()
    return amount / ((performance.now() - begun) / 1000)
  }
  const every = async (task: () => Promise<number>) => {
    const amounts = await Promise.all(Array.from({ length: bulkStreams }, task))
    return amounts.reduce((sum, amount) => sum + amount, 0)
  }
  return {
    async bulk() {
      const down = await perSecond(() => every(() => exchange({ port, host, agent, path: `/${bulkBytes}` })))
      const up = await perSecond(async () => {
        await every(() => exchange({ port, host, agent, path: '/0', bytes: bulkBytes }))
        return bulkStreams * bulkBytes
      })
      return { down: down / 1e6, up: up / 1e6 }
    },
    small: (ms) =>
      perSecond(async () => {
        let count = 0
        const until = performance.now() + ms
        const lane = async () => {
          while (performance.now() < until) {
            await exchange({ port, host, agent, path: '/500' })
            count += 1
          }
        }
        await Promise.all(Array.from({ length: smallConnections }, lane))
        return count
      }),
    leave: () => agent.destroy(),
  }
}

const block = Buffer.alloc(64 * 1024, 'x')

/** One request with `bytes` of body; resolves with the length of the answer. */
async function exchange(ask: {
  port: number
  host: string
  agent: http.Agent
  path: string
  bytes?: number
}): Promise<number> {
  const { port, host, agent, path, bytes = 0 } = ask
  const method = bytes > 0 ? 'POST' : 'GET'
  const headers = { host, ...(bytes > 0 && { 'content-length': bytes }) }
  const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent })
  const answered = once(request, 'response')
  for (let sent = 0; sent < bytes; sent += block.length) {
    if (!request.write(block.subarray(0, bytes - sent))) await once(request, 'drain')
  }
  request.end()
  const [answer] = await answered
  let length = 0
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length
  })
  await once(answer, 'end')
  return length
}

/** A program of this folder, in a process of its own; it is added to `children`. */
export function start(children: ChildProcess[], file: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

/** The port that a program says first. */
export async function portOf(child: ChildProcess): Promise<number> {
  const [message] = await once(child, 'message')
  return message.port
}
