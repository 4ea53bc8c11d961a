import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentCommand } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type AgentWorld, agentToken, collectCommands, createAgentWorld, oldState } from '../testing/agent-world.ts'

let world: AgentWorld

beforeAll(async () => {
  world = await createAgentWorld()
})
afterEach(() => world.killAgents())
afterAll(() => world.close())

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
  socket.send(JSON.stringify({ ...oldState, bootId: 'before' }))
  await world.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'before')
  const ended = once(socket, 'close')
  const ids = [mine.instanceId]
  await world.trx(async (at) => await world.api.agents.refuseAgents(at, ids))
  // Whatever it says until it is cut off changes nothing.
  socket.send(JSON.stringify({ ...oldState, bootId: 'after' }))
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
  leaving.socket.send(JSON.stringify(oldState))
  await until('it is asked to leave', async () => commands.all.some(({ type }) => type === 'leave'))
  leaving.socket.terminate()
})

describe('one without tasks', () => {
  async function connect(mine = world.newInstance(), bootId = 'boot') {
    const { socket } = await world.connect(mine)
    const commands = collectCommands(socket)
    socket.send(JSON.stringify({ ...oldState, bootId }))
    return { mine, socket, commands }
  }
  const isOf = (type: AgentCommand['type']) => (command: AgentCommand) => command.type === type

  test('is asked to restart until another boot reports', async () => {
    const { mine, socket, commands } = await connect()
    await world.waitFor(mine.instanceId, 'reporting', ({ bootId }) => bootId === 'boot')
    await world.api.agents.hosts.requestRestart(world.db, mine.instanceId, 'boot')
    await world.api.agents.hosts.requestRestart(world.db, mine.instanceId, 'boot')
    expect(await commands.next(isOf('restart'))).toEqual({ type: 'restart', bootId: 'boot' })
    socket.terminate()
    const again = await connect(mine)
    expect(await again.commands.next(isOf('restart'))).toEqual({ type: 'restart', bootId: 'boot' })
    again.socket.terminate()
    const { socket: last, commands: lastCommands } = await connect(mine, 'another boot')
    await until('the restart has its end', async () => {
      const tasks = await world.db
        .selectFrom('agent_tasks')
        .select('state')
        .where('instance_id', '=', mine.instanceId)
        .execute()
      return tasks.length === 1 && tasks[0]?.state === 'done'
    })
    expect(lastCommands.all.filter(isOf('restart'))).toEqual([])
    last.terminate()
  })

  test('leaves when asked, and also when it was away', async () => {
    const { mine, socket, commands } = await connect()
    await world.trx(async (at) => await world.api.agents.setWipe(at, [mine.instanceId], true))
    await world.api.agents.hosts.requestLeave(world.db, mine.instanceId)
    expect(await commands.next(isOf('leave'))).toEqual({ type: 'leave', wipe: true })
    socket.terminate()
    await world.trx(async (at) => await world.api.agents.forgetAgents(at, [mine.instanceId]))
    const { socket: back } = await world.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)
    const commandsBack = collectCommands(back)
    back.send(JSON.stringify(oldState))
    expect(await commandsBack.next(isOf('leave'))).toEqual({ type: 'leave', wipe: true })
    const ended = once(back, 'close')
    back.send(JSON.stringify({ type: 'left' }))
    expect((await ended)[0]).toBe(1000)
    expect((await world.openChannel(`Bearer ${mine.instanceId}.${agentToken}`)).status).toBe(401)
  })
})
