import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentCommand } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AgentWorld, agentState, agentToken, collectCommands, createAgentWorld } from '../testing/agent-world.ts'

let world: AgentWorld

beforeAll(async () => {
  world = await createAgentWorld()
})
afterEach(() => world.killAgents())
afterAll(() => world.close())

const isTask = (kind: string) => (command: AgentCommand) => command.type === 'task' && command.kind === kind
const find = (instanceId: string) => world.api.agents.hosts.find(world.db, instanceId)

test('one that says it left, though nobody asked it to, is still there; asked, it is gone', async () => {
  const mine = world.newInstance()
  const sayLeft = async () => {
    const { socket } = await world.connect(mine)
    const ended = once(socket, 'close')
    socket.send(JSON.stringify({ type: 'left' }))
    return { socket, ended }
  }
  const liar = await sayLeft()
  expect((await liar.ended)[0]).toBe(1008)
  expect(await find(mine.instanceId)).toMatchObject({ hasLeft: false, leavingForMs: null })

  await world.api.agents.hosts.requestLeave(world.db, mine.instanceId)
  const { socket } = await sayLeft()
  await until('it has left', async () => (await find(mine.instanceId))?.hasLeft === true)
  socket.terminate()
})

test('restarts when asked, once', async () => {
  const place = world.newInstance()
  const token = await world.issue(place)
  const agent = world.start(place.instanceId, token)
  const before = await world.waitFor(place.instanceId, 'reporting', ({ bootId }) => bootId !== null)
  await world.api.agents.hosts.requestRestart(world.db, place.instanceId, before.bootId ?? '')
  expect(await agent.exited).toBe(10)
  world.start(place.instanceId, token)
  await world.waitFor(place.instanceId, 'back', ({ connected, bootId }) => connected && bootId !== before.bootId)
  const tasks = () =>
    world.db.selectFrom('agent_tasks').selectAll().where('instance_id', '=', place.instanceId).execute()
  await until('the restart has its end', async () => (await tasks())[0]?.state === 'done')
  expect(await tasks()).toHaveLength(1)
})

test('one that was away when it was given up is notified as it comes back, and is no longer let in', async () => {
  const place = world.newInstance()
  const token = await world.issue(place)
  const agent = world.start(place.instanceId, token)
  await world.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
  await agent.kill('SIGKILL')
  await world.waitFor(place.instanceId, 'away', ({ connected }) => !connected)
  await world.trx(async (at) => await world.api.agents.setWipe(at, [place.instanceId], true))
  await world.api.agents.hosts.requestLeave(world.db, place.instanceId)
  await world.trx(async (at) => await world.api.agents.forgetAgents(at, [place.instanceId]))
  const again = world.start(place.instanceId, token)
  expect(await again.exited).toBe(11)
  expect(await readdir(join(world.folder, place.instanceId))).toEqual([])
  // The agent is gone once it has said so; the server may still be writing that down.
  await until('no agent is left to notify', async () => {
    const left = await world.db.selectFrom('pending_decommissions').selectAll().execute()
    return left.length === 0
  })
})

test('one that is refused is cut off and stays out until it is admitted; asked to leave, it hears that', async () => {
  const { mine, socket } = await world.connect()
  const authorization = `Bearer ${mine.instanceId}.${agentToken}`
  await world.waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
  socket.send(JSON.stringify({ ...agentState, bootId: 'before' }))
  await world.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'before')
  const ended = once(socket, 'close')
  const ids = [mine.instanceId]
  await world.trx(async (at) => await world.api.agents.refuseAgents(at, ids))
  // Whatever it says until it is cut off changes nothing.
  socket.send(JSON.stringify({ ...agentState, bootId: 'after' }))
  await ended
  expect(await world.see(mine.instanceId)).toMatchObject({ connected: false, bootId: 'before' })
  expect((await world.openChannel(authorization)).status).toBe(401)
  expect(await world.api.agents.proveInstance(world.db, authorization)).toBeUndefined()
  expect(await world.enroll(await world.issue(mine), agentToken)).not.toBe(200)

  await world.trx(async (at) => await world.api.agents.admitAgents(at, ids))
  const again = await world.openChannel(authorization)
  expect(again.status).toBe(101)
  again.socket.terminate()

  await world.trx(async (at) => await world.api.agents.refuseAgents(at, ids))
  await world.api.agents.hosts.requestLeave(world.db, mine.instanceId)
  const leaving = await world.openChannel(authorization)
  const commands = collectCommands(leaving.socket)
  leaving.socket.send(JSON.stringify(agentState))
  await until('it is asked to leave', async () => commands.all.some(isTask('leave')))
  leaving.socket.terminate()
})

test('is asked to restart until it reports that it has', async () => {
  const mine = world.newInstance()
  const connect = async (state: object) => {
    const { socket } = await world.connect(mine)
    const commands = collectCommands(socket)
    socket.send(JSON.stringify({ ...agentState, ...state }))
    return { socket, commands }
  }
  const first = await connect({ bootId: 'boot' })
  await world.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'boot')
  await world.api.agents.hosts.requestRestart(world.db, mine.instanceId, 'boot')
  await world.api.agents.hosts.requestRestart(world.db, mine.instanceId, 'boot')
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
    const of = world.db.selectFrom('agent_tasks').select('state').where('instance_id', '=', mine.instanceId)
    const tasks = await of.execute()
    return tasks.length === 1 && tasks[0]?.state === 'done'
  })
  expect(last.commands.all.filter(isTask('restart'))).toEqual([])
  last.socket.terminate()
})

test('leaves when asked, and also when it was away', async () => {
  const mine = world.newInstance()
  const { socket } = await world.connect(mine)
  const commands = collectCommands(socket)
  socket.send(JSON.stringify(agentState))
  await world.trx(async (at) => await world.api.agents.setWipe(at, [mine.instanceId], true))
  await world.api.agents.hosts.requestLeave(world.db, mine.instanceId)
  expect(await commands.next(isTask('leave'))).toMatchObject({ params: { wipe: true } })
  socket.terminate()
  await world.trx(async (at) => await world.api.agents.forgetAgents(at, [mine.instanceId]))
  const { socket: back } = await world.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)
  const commandsBack = collectCommands(back)
  back.send(JSON.stringify(agentState))
  expect(await commandsBack.next(isTask('leave'))).toMatchObject({ params: { wipe: true } })
  const ended = once(back, 'close')
  back.send(JSON.stringify({ type: 'left' }))
  expect((await ended)[0]).toBe(1000)
  expect((await world.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)).status).toBe(401)
})
