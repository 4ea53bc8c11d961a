/** A real agent at a scripted control plane without tasks. */
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentMessage, type AgentState } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { startAgentProcess } from '../testing/agent-process.ts'

const place = { clusterId: 'cl_testtesttest', instanceId: 'in_testtesttest' }

test('obeys the old commands and answers by the old fields', async () => {
  await using stack = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'atoll-old-server-'))
  stack.defer(() => rm(home, { recursive: true }))
  const states: AgentState[] = []
  let hasLeft = false
  let socket: WebSocket | undefined
  const server = createServer((_, response) => response.end(JSON.stringify({ code: 200, message: 'OK', data: place })))
  const channels = new WebSocketServer({ server })
  channels.on('connection', (opened) => {
    socket = opened
    opened.on('message', (data) => {
      const message = AgentMessage.parse(JSON.parse(String(data)))
      if (message.type === 'state') states.push(message)
      if (message.type === 'left') hasLeft = true
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    server.close()
    for (const client of channels.clients) client.terminate()
  })
  const { port } = server.address() as AddressInfo // a TCP listener has one
  const environment = { ATOLL_AGENT_CONTROL_URL: `http://127.0.0.1:${port}`, ATOLL_AGENT_ENROLL_TOKEN: 'x'.repeat(43) }
  const agent = startAgentProcess(home, environment)
  stack.defer(() => agent.kill('SIGKILL'))
  const say = (command: object) => socket?.send(JSON.stringify(command))

  const first = await until('it reports', async () => states.at(-1))
  say({ type: 'drain', taskId: 'op_drain', withinMs: 1000 })
  await until('it has drained', async () => states.at(-1)?.drainedTask === 'op_drain')
  // Before activation the one-time password stands; it does nothing without a command.
  say({ type: 'rotate', taskId: 'op_rotate' })
  say({ type: 'restart', bootId: 'another boot' })
  expect(agent.child.exitCode).toBeNull()
  say({ type: 'restart', bootId: first.bootId })
  expect(await agent.exited).toBe(10)

  const again = startAgentProcess(home, environment)
  stack.defer(() => again.kill('SIGKILL'))
  await until('another boot reports', async () => states.at(-1)?.bootId !== first.bootId)
  say({ type: 'leave', wipe: true })
  await until('it says that it has left', async () => hasLeft)
  expect(await again.exited).toBe(11)
})
