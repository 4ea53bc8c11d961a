import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { AgentState } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createLog } from '../kernel/log.ts'
import { type Channel, openChannel } from './channel.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function listen(port = 0): Promise<{ server: WebSocketServer; url: string; stop(): Promise<void> }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port })
  await once(server, 'listening')
  // A string only where it listens on a socket of the file system.
  const { port: given } = server.address() as AddressInfo
  const stop = async () => {
    for (const client of server.clients) client.terminate()
    await new Promise((resolve) => server.close(resolve))
  }
  closing.push(stop)
  return { server, url: `http://127.0.0.1:${given}`, stop }
}

function open(addresses: () => readonly [string, ...string[]]): { channel: Channel; reached: string[] } {
  const reached: string[] = []
  const channel = openChannel({
    addresses,
    onReached: (address) => reached.push(address),
    enrolled: { clusterId: 'cl_1', instanceId: 'in_1', token: 'a token of some length' },
    boot: { id: 'one', previous: null, hostName: 'host' },
    log: createLog({ write: () => undefined }),
    readState: () => ({ type: 'state', install: {}, tasks: [] }) as unknown as AgentState, // nobody reads it here
    measure: async () => Promise.reject(new Error('nothing is measured here')),
    onCommand: () => undefined,
    onRefused: () => undefined,
  })
  closing.push(() => channel.close())
  return { channel, reached }
}

test('dials the next address where the best does not answer, and the best again when that is told to be another', async () => {
  const gone = await listen()
  await gone.stop()
  const old = await listen()
  let addresses: [string, ...string[]] = [gone.url, old.url]
  const { channel, reached } = open(() => addresses)
  await until('it has reached the second', () => reached.length === 1)
  expect(reached).toEqual([old.url])
  const fresh = await listen()
  addresses = [fresh.url, old.url]
  channel.redial()
  await until('it has moved', () => reached.length === 2)
  expect(reached).toEqual([old.url, fresh.url])
  await fresh.stop()
  await until('it has come back to the old one', () => reached.length === 3)
  expect(reached.at(-1)).toBe(old.url)
})
