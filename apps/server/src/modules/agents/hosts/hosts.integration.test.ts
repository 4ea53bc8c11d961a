import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentCommand } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type AgentHarness,
  agentState,
  agentToken,
  collectCommands,
  createAgentHarness,
} from '../testing/agent-harness.ts'

let harness: AgentHarness

beforeAll(async () => {
  harness = await createAgentHarness()
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

const isTask = (kind: string) => (command: AgentCommand) => command.type === 'task' && command.kind === kind
const find = (instanceId: string) => harness.api.agents.hosts.find(harness.db, instanceId)

test('one that says it left, though nobody asked it to, is still there; asked, it is gone', async () => {
  const mine = harness.newInstance()
  const sayLeft = async () => {
    const { socket } = await harness.connect(mine)
    const ended = once(socket, 'close')
    socket.send(JSON.stringify({ type: 'left' }))
    return { socket, ended }
  }
  const liar = await sayLeft()
  expect((await liar.ended)[0]).toBe(1008)
  expect(await find(mine.instanceId)).toMatchObject({ hasLeft: false, leavingForMs: null })

  await harness.api.agents.hosts.requestLeave(harness.db, mine.instanceId)
  const { socket } = await sayLeft()
  await until('it has left', async () => (await find(mine.instanceId))?.hasLeft === true)
  socket.terminate()
})

test('restarts when asked, once', async () => {
  const place = harness.newInstance()
  const token = await harness.issue(place)
  const agent = harness.start(place.instanceId, token)
  const before = await harness.waitFor(place.instanceId, 'reporting', ({ bootId }) => bootId !== null)
  await harness.api.agents.hosts.requestRestart(harness.db, place.instanceId, before.bootId ?? '')
  expect(await agent.exited).toBe(10)
  harness.start(place.instanceId, token)
  await harness.waitFor(place.instanceId, 'back', ({ connected, bootId }) => connected && bootId !== before.bootId)
  const tasks = () =>
    harness.db.selectFrom('agent_tasks').selectAll().where('instance_id', '=', place.instanceId).execute()
  await until('the restart has its end', async () => (await tasks())[0]?.state === 'done')
  expect(await tasks()).toHaveLength(1)
})

test('one that was away when it was given up is notified as it comes back, and is no longer let in', async () => {
  const place = harness.newInstance()
  const token = await harness.issue(place)
  const agent = harness.start(place.instanceId, token)
  await harness.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
  await agent.kill('SIGKILL')
  await harness.waitFor(place.instanceId, 'away', ({ connected }) => !connected)
  await harness.trx(async (at) => await harness.api.agents.setWipe(at, [place.instanceId], true))
  await harness.api.agents.hosts.requestLeave(harness.db, place.instanceId)
  await harness.trx(async (at) => await harness.api.agents.forgetAgents(at, [place.instanceId]))
  const again = harness.start(place.instanceId, token)
  expect(await again.exited).toBe(11)
  expect(await readdir(join(harness.folder, place.instanceId))).toEqual([])
  // The agent is gone once it has said so; the server may still be writing that down.
  await until('no agent is left to notify', async () => {
    const left = await harness.db.selectFrom('pending_decommissions').selectAll().execute()
    return left.length === 0
  })
})

test('one that is refused is cut off and stays out until it is admitted; asked to leave, it hears that', async () => {
  const { mine, socket } = await harness.connect()
  const authorization = `Bearer ${mine.instanceId}.${agentToken}`
  await harness.waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
  socket.send(JSON.stringify({ ...agentState, bootId: 'before' }))
  await harness.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'before')
  const ended = once(socket, 'close')
  const ids = [mine.instanceId]
  await harness.trx(async (at) => await harness.api.agents.refuseAgents(at, ids))
  // Whatever it says until it is cut off changes nothing.
  socket.send(JSON.stringify({ ...agentState, bootId: 'after' }))
  await ended
  expect(await harness.see(mine.instanceId)).toMatchObject({ connected: false, bootId: 'before' })
  expect((await harness.openChannel(authorization)).status).toBe(401)
  expect(await harness.api.agents.proveInstance(harness.db, authorization)).toBeUndefined()
  expect(await harness.enroll(await harness.issue(mine), agentToken)).not.toBe(200)

  await harness.trx(async (at) => await harness.api.agents.admitAgents(at, ids))
  const again = await harness.openChannel(authorization)
  expect(again.status).toBe(101)
  again.socket.terminate()

  await harness.trx(async (at) => await harness.api.agents.refuseAgents(at, ids))
  await harness.api.agents.hosts.requestLeave(harness.db, mine.instanceId)
  const leaving = await harness.openChannel(authorization)
  const commands = collectCommands(leaving.socket)
  leaving.socket.send(JSON.stringify(agentState))
  await until('it is asked to leave', async () => commands.all.some(isTask('leave')))
  leaving.socket.terminate()
})

test('is asked to restart until it reports that it has', async () => {
  const mine = harness.newInstance()
  const connect = async (state: object) => {
    const { socket } = await harness.connect(mine)
    const commands = collectCommands(socket)
    socket.send(JSON.stringify({ ...agentState, ...state }))
    return { socket, commands }
  }
  const first = await connect({ bootId: 'boot' })
  await harness.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'boot')
  await harness.api.agents.hosts.requestRestart(harness.db, mine.instanceId, 'boot')
  await harness.api.agents.hosts.requestRestart(harness.db, mine.instanceId, 'boot')
  const asked = await first.commands.next(isTask('restart'))
  expect(asked).toMatchObject({ params: { bootId: 'boot' } })
  first.socket.terminate()
  const again = await connect({ bootId: 'boot' })
  expect(await again.commands.next(isTask('restart'))).toEqual(asked)
  again.socket.terminate()
  const taskId = asked.type === 'task' ? asked.taskId : ''
  const done = { taskId, state: 'done', result: {}, reason: null }
  const last = await connect({ bootId: 'another boot', tasks: [done] })
  await until('the restart has its end', async () => {
    const of = harness.db.selectFrom('agent_tasks').select('state').where('instance_id', '=', mine.instanceId)
    const tasks = await of.execute()
    return tasks.length === 1 && tasks[0]?.state === 'done'
  })
  expect(last.commands.all.filter(isTask('restart'))).toEqual([])
  last.socket.terminate()
})

test('leaves when asked, and also when it was away', async () => {
  const mine = harness.newInstance()
  const { socket } = await harness.connect(mine)
  const commands = collectCommands(socket)
  socket.send(JSON.stringify(agentState))
  await harness.trx(async (at) => await harness.api.agents.setWipe(at, [mine.instanceId], true))
  await harness.api.agents.hosts.requestLeave(harness.db, mine.instanceId)
  expect(await commands.next(isTask('leave'))).toMatchObject({ params: { wipe: true } })
  socket.terminate()
  await harness.trx(async (at) => await harness.api.agents.forgetAgents(at, [mine.instanceId]))
  const { socket: back } = await harness.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)
  const commandsBack = collectCommands(back)
  back.send(JSON.stringify(agentState))
  expect(await commandsBack.next(isTask('leave'))).toMatchObject({ params: { wipe: true } })
  const ended = once(back, 'close')
  back.send(JSON.stringify({ type: 'left' }))
  expect((await ended)[0]).toBe(1000)
  expect((await harness.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)).status).toBe(401)
})
