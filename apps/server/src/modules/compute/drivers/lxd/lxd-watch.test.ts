import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { createLog, silentLog } from '../../../../platform/log.ts'
import { LxdSettings } from '../../../catalog/lxd-settings.ts'
import { Server } from './lxd-answers.ts'
import { createLxdClient } from './lxd-client.ts'
import { watchLxd } from './lxd-watch.ts'

test('an LXD that cannot be reached is logged once, with the cause, however often it is tried', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const client = createLxdClient(LxdSettings.parse({ endpoints: ['/nowhere/unix.socket'], bridge: 'br0' }))
  let tries = 0
  const counting: typeof client = {
    ...client,
    upgrade(...args) {
      tries += 1
      return client.upgrade(...args)
    },
  }
  const watch = watchLxd(counting, { project: 'atoll', log }, () => undefined)
  try {
    await until('it was tried three times', () => tries === 3)
  } finally {
    await watch.stop()
    await client.close()
  }
  expect(lines).toEqual([expect.any(String)])
  expect(lines[0]).toMatch(/LXD is not heard.*|ENOENT/)
  expect(lines[0]).toContain('ENOENT')
})

const alone = {
  type: 'sync',
  metadata: { auth: 'trusted', environment: { server_clustered: false, server_name: 'one' } },
}

/** An LXD on a socket: its events are never about anything; `answers` false hangs up on every question. */
async function startLxd(socket: string, { answers }: { answers: boolean }) {
  const events = new WebSocketServer({ noServer: true })
  const server = createServer((request, response) => {
    if (answers) response.end(JSON.stringify(alone))
    else request.socket.destroy()
  })
  server.on('upgrade', (request, stream, head) => events.handleUpgrade(request, stream, head, () => undefined))
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  return {
    listeners: () => events.clients.size,
    stop() {
      for (const listener of events.clients) listener.terminate()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A client of two endpoints, of which the first answers connections and nothing else. */
async function startTwo() {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-lxd-watch-'))
  const endpoints = [join(folder, 'silent'), join(folder, 'sound')] as const
  const silent = await startLxd(endpoints[0], { answers: false })
  const sound = await startLxd(endpoints[1], { answers: true })
  const client = createLxdClient(LxdSettings.parse({ endpoints, bridge: 'br0' }))
  return {
    client,
    sound,
    async [Symbol.asyncDispose]() {
      await client.close()
      silent.stop()
      sound.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

test('an endpoint that takes connections and answers nothing is left for the other one', async () => {
  await using lxd = await startTwo()
  const watch = watchLxd(lxd.client, { project: 'atoll', log: silentLog }, () => undefined)
  try {
    await until('the sound one is listened to', () => lxd.sound.listeners() === 1)
  } finally {
    await watch.stop()
  }
})

test('several who ask a silent endpoint at once go on to the other one together', async () => {
  await using lxd = await startTwo()
  await Promise.allSettled([1, 2].map(() => lxd.client.get('/1.0', Server)))
  expect((await lxd.client.get('/1.0', Server)).auth).toBe('trusted')
})
