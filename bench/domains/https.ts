/** HTTPS at the edge: handshakes against Node's own server, requests against HTTP, HTTP/2 against six connections. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import { createInterface } from 'node:readline'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'

/** An odd number, so that the median is one of them. */
const rounds = 7
const certificates = 1000
const handshakesARound = 400
const requestMs = 1500
const atATime = 8
const thumbnails = 1000
const thumbnailRounds = 3

export async function measureHttps(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  const children: ChildProcess[] = []
  const program = fileURLToPath(
    new URL('../../apps/server/src/modules/certificates/testing/bench-edge.ts', import.meta.url),
  )
  async function start(env: Record<string, string>): Promise<{ http: number; https: number }> {
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line)
    throw new Error('the edge of the bench ended before it listened')
  }
  try {
    const client = new Client({ connectionString: postgres.url('postgres') })
    await client.connect()
    await client.query('create database https')
    await client.end()
    const bare = await start({ CERTIFICATES: '0' })
    const edge = await start({ CERTIFICATES: String(certificates), DATABASE_URL: postgres.url('https') })
    // Each certificate is read once before.
    await handshakes(edge.https, certificates, (index) => index)
    await handshakes(bare.https, handshakesARound, () => 0)
    const rates = { bare: [] as number[], edge: [] as number[], http: [] as number[], https: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      rates.bare.push(await handshakes(bare.https, handshakesARound, () => 0))
      rates.edge.push(await handshakes(edge.https, handshakesARound, (index) => (index * 37 + round) % certificates))
      rates.http.push(await requests(http, edge.http))
      rates.https.push(await requests(https, edge.https))
    }
    const pages = { one: [] as number[], six: [] as number[] }
    for (let round = 0; round < thumbnailRounds; round += 1) {
      pages.six.push(await loadBySix(edge.https))
      pages.one.push(await loadByOne(edge.https))
    }
    const [one, six] = [median(pages.one), median(pages.six)]
    return [
      {
        name: 'edge, 1000 thumbnails over one connection of HTTP/2 ÷ over six of HTTP/1.1',
        value: one / six,
        target: { atMost: 0.5 },
        from: `${one.toFixed(1)} s, ${six.toFixed(1)} s, ${thumbnailRounds} rounds`,
      },
      compare('edge, TLS handshakes with 1000 certificates ÷ bare https server with one', rates.edge, rates.bare, 0.8),
      compare('edge, requests on kept connections over HTTPS ÷ over HTTP', rates.https, rates.http, 0.7),
    ]
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await postgres.stop()
  }
}

function compare(name: string, over: number[], under: number[], atLeast: number): Ratio {
  return {
    name,
    // Of pairs that were measured one after the other: a machine that slows down slows down both.
    value: median(over.map((rate, round) => rate / (under[round] ?? Number.NaN))),
    target: { atLeast },
    from: `${median(over).toFixed(0)}/s, ${median(under).toFixed(0)}/s, ${rounds} rounds`,
  }
}

/** Whole handshakes a second, none of them resumed. */
async function handshakes(port: number, count: number, certificateOf: (index: number) => number): Promise<number> {
  const begun = performance.now()
  let next = 0
  async function visit(): Promise<void> {
    while (next < count) {
      const servername = `host${certificateOf(next)}.bench.example`
      next += 1
      const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
      await once(socket, 'secureConnect')
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: atATime }, visit))
  return count / ((performance.now() - begun) / 1000)
}

/** Seconds until all thumbnails of a page are there, as a browser asks for them by HTTP/1.1. */
async function loadBySix(port: number): Promise<number> {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 6 })
  const host = 'host0.bench.example'
  const options = { host: '127.0.0.1', port, path: '/thumbnail', agent, headers: { host }, servername: host }
  const begun = performance.now()
  const load = async () => {
    const [answer] = (await once(https.get({ ...options, rejectUnauthorized: false }), 'response')) as [
      http.IncomingMessage,
    ]
    await once(answer.resume(), 'end')
  }
  await Promise.all(Array.from({ length: thumbnails }, load))
  agent.destroy()
  return (performance.now() - begun) / 1000
}

async function loadByOne(port: number): Promise<number> {
  const host = 'host0.bench.example'
  const begun = performance.now()
  const session = http2.connect(`https://127.0.0.1:${port}`, { servername: host, rejectUnauthorized: false })
  // As browsers do: how many there may be at a time is known first.
  await once(session, 'remoteSettings')
  const load = async () => {
    const stream = session.request({ ':authority': host, ':path': '/thumbnail' })
    const [headers] = await once(stream, 'response')
    if (headers[':status'] !== 200) throw new Error(`a thumbnail was answered ${headers[':status']}`)
    await once(stream.resume(), 'end')
  }
  await Promise.all(Array.from({ length: thumbnails }, load))
  session.close()
  return (performance.now() - begun) / 1000
}

/** Requests a second on connections that are kept. */
async function requests(over: typeof http | typeof https, port: number): Promise<number> {
  const agent = new over.Agent({ keepAlive: true, maxSockets: atATime })
  const host = 'host0.bench.example'
  const options = { host: '127.0.0.1', port, agent, headers: { host }, servername: host, rejectUnauthorized: false }
  const ask = async () => {
    const request = over.get(options)
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
    answer.resume()
    await once(answer, 'end')
  }
  // Opens the connections.
  await Promise.all(Array.from({ length: atATime }, ask))
  const begun = performance.now()
  let count = 0
  async function visit(): Promise<void> {
    while (performance.now() - begun < requestMs) {
      await ask()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: atATime }, visit))
  const rate = count / ((performance.now() - begun) / 1000)
  agent.destroy()
  return rate
}
