/** What the relay costs: the same instance behind the same edge, asked over TCP and over what it dialled. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'

/** An odd number, so that the median is one of them; the first is a warm-up. */
const rounds = 7
/** Bytes of one download or upload, and how many of them at a time. */
const bulkBytes = 96 * 1024 * 1024
const bulkStreams = 4
const smallConnections = 32
const smallMs = 1500

const ways = ['straight', 'relayed'] as const
type Way = (typeof ways)[number]
interface Run {
  /** MB a second. */
  down: number
  up: number
  /** Small requests a second. */
  small: number
}

/** Throughput over the relay against direct HTTP through the edge: bulk both ways, and small requests. */
export async function measureRelay(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  const children: ChildProcess[] = []
  try {
    const client = new Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    await client.query('create database relay')
    await client.end()
    const edge = start(children, 'relay-edge.ts', { DATABASE_URL: postgres.url('relay') })
    const edgePort = await portOf(edge)
    // The instance says its own port once it has dialled.
    const instance = start(children, 'relay-instance.ts', { EDGE_URL: `http://127.0.0.1:${edgePort}` })
    edge.send({ instancePort: await portOf(instance) })
    await once(edge, 'message')

    const runs: Record<Way, Run[]> = { straight: [], relayed: [] }
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of ways) runs[way].push(await measure(edgePort, `${way}.test`))
    }
    return [
      compare('relay, downloads', runs, 'down', 'MB/s'),
      compare('relay, uploads', runs, 'up', 'MB/s'),
      compare('relay, small requests', runs, 'small', 'requests/s'),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

function compare(name: string, runs: Record<Way, Run[]>, what: keyof Run, unit: string): Ratio {
  const figure = (way: Way) => runs[way].slice(1).map((run) => run[what])
  // Of pairs that were measured one after the other: a machine that slows down slows down both.
  const ratios = figure('relayed').map((value, at) => value / (figure('straight')[at] ?? Number.NaN))
  const words = ways.map((way) => `${way} ${median(figure(way)).toFixed(0)} ${unit}`)
  return {
    name: `${name} against direct HTTP through the edge`,
    value: median(ratios),
    target: { atLeast: 0.7 },
    from: `${words.join(', ')}; median of ${rounds} pairs`,
  }
}

async function measure(port: number, host: string): Promise<Run> {
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
  const down = await perSecond(() => every(() => exchange({ port, host, agent, path: `/${bulkBytes}` })))
  const up = await perSecond(async () => {
    await every(() => exchange({ port, host, agent, path: '/0', bytes: bulkBytes }))
    return bulkStreams * bulkBytes
  })
  const small = await perSecond(async () => {
    let count = 0
    const until = performance.now() + smallMs
    const lane = async () => {
      while (performance.now() < until) {
        await exchange({ port, host, agent, path: '/500' })
        count += 1
      }
    }
    await Promise.all(Array.from({ length: smallConnections }, lane))
    return count
  })
  agent.destroy()
  return { down: down / 1e6, up: up / 1e6, small }
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

function start(children: ChildProcess[], file: string, env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  children.push(child)
  return child
}

async function portOf(child: ChildProcess): Promise<number> {
  const [message] = await once(child, 'message')
  return message.port
}
