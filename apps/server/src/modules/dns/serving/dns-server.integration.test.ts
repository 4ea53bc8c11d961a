import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { until } from '@atoll/testkit'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { silentLog } from '../../../platform/log.ts'
import { questionBytes, readAnswer } from '../testing/ask.ts'
import { compileZone } from './compile-zone.ts'
import { createDnsServer, type DnsServer } from './dns-server.ts'
import { createQueryCounts } from './query-counts.ts'
import { createZoneTable } from './zone-table.ts'

const zone = {
  domain: 'lagoon.example',
  nameServers: ['ns1.host.example', 'ns2.host.example'],
  serial: 1,
  records: [{ name: '*.lena.lagoon.example', type: 'A' as const, value: '192.0.2.1', ttl: 60 }],
}
let server: DnsServer
let port: number

beforeEach(async () => {
  const zones = createZoneTable([compileZone(zone)])
  server = createDnsServer({ zones, counts: createQueryCounts(), log: silentLog, rate: 20 })
  port = await server.listen('127.0.0.1', 0)
})
afterEach(() => server.close())

/** A socket that sends from this address. */
async function socketAt(address: string): Promise<Socket> {
  const socket = createSocket('udp4')
  onTestFinished(() => void socket.close())
  socket.bind(0, address)
  await once(socket, 'listening')
  return socket
}

it('a flood of random names gets fewer bytes than it sent, and others are served meanwhile', async () => {
  const flooding = await socketAt('127.0.9.1')
  const honest = await socketAt('127.0.10.1')
  const sizes = { out: 0, in: 0 }
  let answered = 0
  flooding.on('message', (bytes) => {
    sizes.in += bytes.length
  })
  honest.on('message', (bytes) => {
    if (readAnswer(bytes).answers?.length === 1) answered += 1
  })
  for (let round = 0; round < 20; round += 1) {
    for (let count = 0; count < 100; count += 1) {
      const query = questionBytes(`x${round}-${count}.${count % 2 ? 'lena.' : ''}lagoon.example`, 'A', { edns: 4096 })
      sizes.out += query.length
      flooding.send(query, port, '127.0.0.1')
    }
    honest.send(questionBytes(`a${round}.lena.lagoon.example`, 'A'), port, '127.0.0.1')
    await until('the honest one has its answer', () => answered === round + 1)
  }
  expect(sizes.in).toBeGreaterThan(0)
  expect(sizes.in).toBeLessThan(sizes.out)
})

it('a connection that lies about lengths, or says what is no question, ends; others go on', async () => {
  const kept = connect(port, '127.0.0.1')
  onTestFinished(() => void kept.destroy())
  const answer = Buffer.alloc(2)
  answer.writeUInt16BE(12, 0)
  const noQuestion = Buffer.concat([answer, Buffer.from([0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0])])
  for (const bytes of [Buffer.from([0xff, 0xff, 1]), Buffer.from([0, 0]), Buffer.from([0, 3, 1, 2, 3]), noQuestion]) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined) // reset
    socket.resume()
    socket.write(bytes)
    await once(socket, 'close')
  }
  const query = questionBytes('a.lena.lagoon.example', 'A')
  kept.write(Buffer.concat([Buffer.from([0, query.length]), query]))
  const [bytes] = await once(kept, 'data')
  expect(readAnswer(bytes.subarray(2)).answers).toHaveLength(1)
})

/** Both ends of each are this process's; where it may hold fewer files, fewer are held. */
function idleConnections(): number {
  const limit = Number(/Max open files +(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? 0)
  return Math.min(10_000, Math.floor((limit - 1000) / 2))
}

it('10 000 connections that say nothing give way: who asks is answered, over UDP and TCP', async () => {
  const query = questionBytes('a.lena.lagoon.example', 'A')
  const framed = Buffer.concat([Buffer.from([0, query.length]), query])
  async function askOn(socket: ReturnType<typeof connect>): Promise<void> {
    socket.write(framed)
    const [bytes] = await once(socket, 'data')
    expect(readAnswer(bytes.subarray(2)).answers).toHaveLength(1)
  }
  const honest = await socketAt('127.0.10.1')
  const kept = connect(port, '127.0.0.1')
  const idle: ReturnType<typeof connect>[] = []
  onTestFinished(() => {
    for (const socket of [kept, ...idle]) socket.destroy()
  })
  const count = idleConnections()
  expect(count).toBeGreaterThan(100)
  let ended = 0
  while (idle.length < count) {
    // 50 of each address: more than 100 it is not given.
    const batch = Array.from({ length: Math.min(500, count - idle.length) }, (_, index) => {
      const localAddress = `127.1.${Math.floor((idle.length + index) / 50)}.1`
      const socket = connect({ port, host: '127.0.0.1', localAddress }).resume()
      socket.on('error', () => undefined) // reset
      return socket.on('close', () => (ended += 1))
    })
    idle.push(...batch)
    await Promise.all(batch.map((socket) => once(socket, 'connect')))
    await askOn(kept)
    honest.send(query, port, '127.0.0.1')
    const [bytes] = await once(honest, 'message')
    expect(readAnswer(bytes).answers).toHaveLength(1)
  }
  // 5000 are held; more only where this process may hold more.
  await until('the oldest gave way', () => ended >= Math.max(0, count - 5000))
  expect(kept.destroyed).toBe(false)
  const late = connect(port, '127.0.0.1')
  onTestFinished(() => void late.destroy())
  await askOn(late)
})
