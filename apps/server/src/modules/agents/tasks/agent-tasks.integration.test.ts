import { once } from 'node:events'
import { type AgentCommand, taskKinds, taskResultLimit } from '@atoll/contract/agents'
import { findFreePorts, until } from '@atoll/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AgentTask } from '../index.ts'
import { type AgentHarness, agentState, collectCommands, createAgentHarness } from '../testing/agent-harness.ts'

const shape = z.object({ number: z.number() })
const slow = { kind: 'slow', lane: 'restic', params: shape, result: shape } as const

let harness: AgentHarness
const changes: AgentTask[] = []
let serial = 0

beforeAll(async () => {
  harness = await createAgentHarness({
    taskKinds: { ...taskKinds, slow },
    onTaskChange: async (_, __, task) => void changes.push(task),
  })
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

const isOf = (type: AgentCommand['type']) => (command: AgentCommand) => command.type === type
const find = async (taskId: string) => (await harness.api.agents.listTasks(harness.db, [taskId]))[0]

async function ask(instanceId: string, number: number): Promise<string> {
  serial += 1
  const taskId = `at_slow${serial}`
  await harness.trx((trx) => harness.api.agents.requestTask(trx, slow, { taskId, instanceId, params: { number } }))
  return taskId
}

/** A scripted agent that knows tasks, and holds `tasks` when it connects. */
async function connect(mine = harness.newInstance(), tasks: unknown[] = []) {
  const { socket } = await harness.connect(mine)
  const commands = collectCommands(socket)
  let count = 0
  const report = (held: unknown[]) => {
    count += 1
    // Log lines and the like change in between: no two reports are the same text.
    socket.send(JSON.stringify({ ...agentState, agentVersion: `1.0.${count}`, tasks: held }))
  }
  report(tasks)
  return { mine, socket, commands, report }
}

const held = (taskId: string, state: string, more: object = {}) => ({
  taskId,
  state,
  result: null,
  reason: null,
  ...more,
})

describe('a task', () => {
  test('is offered until the report names it, ended once, and seen', async () => {
    const { mine, socket, commands } = await connect()
    const taskId = await ask(mine.instanceId, 1)
    const offer = { type: 'task', taskId, kind: 'slow', params: { number: 1 } }
    expect(await commands.next(isOf('task'))).toEqual(offer)
    // Unnamed, it comes again at the beat.
    expect(await commands.next(isOf('task'))).toEqual(offer)
    socket.terminate()

    const again = await connect(mine)
    expect(await again.commands.next(isOf('task'))).toEqual(offer)
    again.report([held(taskId, 'running')])
    await until('it runs', async () => (await find(taskId))?.state === 'running')
    again.report([held(taskId, 'done', { result: { number: 7, more: 'than the kind knows' } })])
    expect(await again.commands.next(isOf('taskSeen'))).toEqual({ type: 'taskSeen', taskId })
    expect(await find(taskId)).toMatchObject({ state: 'done', result: { number: 7 }, reason: null })
    // An older report that comes late, and another end, change nothing.
    again.report([held(taskId, 'running')])
    expect(await again.commands.next(isOf('cancel'))).toEqual({ type: 'cancel', taskId })
    again.report([held(taskId, 'failed', { reason: 'No room.' })])
    await again.commands.next(isOf('taskSeen'))
    expect(await find(taskId)).toMatchObject({ state: 'done', result: { number: 7 } })
    expect(changes.filter(({ id }) => id === taskId).map(({ state }) => state)).toEqual(['running', 'done'])
    again.socket.terminate()
  })

  test('that fails carries the agent’s words; a result of another shape is a failure, one too large is no message', async () => {
    const { mine, socket, commands, report } = await connect()
    const [failed, odd] = [await ask(mine.instanceId, 1), await ask(mine.instanceId, 2)]
    await commands.next(isOf('task'))
    report([
      held(failed, 'failed', { reason: 'The disk is full.' }),
      held(odd, 'done', { result: { number: 'seven' } }),
    ])
    await until('both have ended', async () => (await find(odd))?.state === 'failed')
    expect(await find(failed)).toMatchObject({ state: 'failed', reason: 'The disk is full.' })
    const ended = once(socket, 'close')
    report([held(odd, 'done', { result: { number: 1, more: 'x'.repeat(taskResultLimit) } })])
    expect((await ended)[0]).toBe(1008)
  })

  test('that was said to nobody is canceled at once, another by its agent', async () => {
    const mine = harness.newInstance()
    await harness.issue(mine)
    const [unsaid, said] = [await ask(mine.instanceId, 1), await ask(mine.instanceId, 2)]
    expect(await harness.trx((trx) => harness.api.agents.cancelTask(trx, unsaid))).toMatchObject({ state: 'canceled' })
    const { socket, commands, report } = await connect(mine)
    expect(await commands.next(isOf('task'))).toMatchObject({ taskId: said })
    expect(await harness.trx((trx) => harness.api.agents.cancelTask(trx, said))).toMatchObject({ state: 'offered' })
    expect(await commands.next(isOf('cancel'))).toEqual({ type: 'cancel', taskId: said })
    report([held(said, 'canceled')])
    await until('it is canceled', async () => (await find(said))?.state === 'canceled')
    expect(await harness.trx((trx) => harness.api.agents.cancelTask(trx, said))).toBeUndefined()
    expect(commands.all.filter((command) => command.type === 'task' && command.taskId === unsaid)).toEqual([])
    socket.terminate()
  })

  test('is asked for with parameters of its kind, and once while the same is open', async () => {
    const mine = harness.newInstance()
    await harness.issue(mine)
    const wrong = { taskId: 'at_wrong', instanceId: mine.instanceId, params: { number: 'one' as unknown as number } }
    await expect(harness.trx((trx) => harness.api.agents.requestTask(trx, slow, wrong))).rejects.toThrow(/number/)
    const [first, same] = [await ask(mine.instanceId, 1), await ask(mine.instanceId, 1)]
    expect(await find(first)).toMatchObject({ state: 'waiting' })
    expect(await find(same)).toBeUndefined()
    // Of an instance that nobody knows there is nobody to ask.
    expect(await find(await ask('in_unknown0000', 1))).toBeUndefined()
  })
})

test('an agent is offered four tasks of a lane, and those of the other all the same', async () => {
  const { mine, socket, commands } = await connect()
  for (let number = 1; number <= 6; number += 1) await ask(mine.instanceId, number)
  const rotate = { taskId: 'at_rotate1', instanceId: mine.instanceId, params: {} }
  await harness.trx((trx) => harness.api.agents.requestTask(trx, taskKinds.rotate, rotate))
  await commands.next((command) => command.type === 'task' && command.taskId === 'at_rotate1')
  const offered = new Set(commands.all.flatMap((command) => (command.type === 'task' ? command.taskId : [])))
  expect(offered.size).toBe(5)
  socket.terminate()
})

test('progress is stored of what runs, and no faster than it may come', async () => {
  const { mine, socket, commands, report } = await connect()
  const taskId = await ask(mine.instanceId, 1)
  await commands.next(isOf('task'))
  const say = (files: number) => socket.send(JSON.stringify({ type: 'progress', taskId, progress: { files } }))
  say(0) // of a task that no report names
  report([held(taskId, 'running')])
  await until('it runs', async () => (await find(taskId))?.state === 'running')
  for (let files = 1; files <= 50; files += 1) say(files)
  await until('it is stored', async () => (await find(taskId))?.progress !== null)
  report([held(taskId, 'done', { result: { number: 1 } })])
  await commands.next(isOf('taskSeen'))
  say(51)
  const stored = changes.filter(({ id, state, progress }) => id === taskId && state === 'running' && progress !== null)
  expect(stored[0]?.progress).toEqual({ files: 1 })
  expect(stored.length).toBeLessThanOrEqual(2)
  expect((await find(taskId))?.progress).not.toEqual({ files: 51 })
  socket.terminate()
})

describe('backups', () => {
  const key = { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) } as const
  const params = {
    repository: { url: 'http://127.0.0.1:4803/vr_1/', grantId: 'gr_1', token: 'a-right-to-the-repository' },
    backupId: 'bk_backup00001',
    box: 'header..nonce.password.tag',
  }
  const stored = async (taskId: string) =>
    JSON.stringify(await harness.db.selectFrom('agent_tasks').selectAll().where('id', '=', taskId).execute())

  test('are reported with what the agent makes them with; an older one reports none', async () => {
    const { mine, socket } = await connect()
    const see = (what: string, holds: Parameters<typeof harness.waitFor>[2]) =>
      harness.waitFor(mine.instanceId, what, holds)
    expect(await see('a report', ({ bootId }) => bootId !== null)).toMatchObject({ backups: null })
    socket.send(JSON.stringify({ ...agentState, restic: null, backupKey: key }))
    expect((await see('without restic', ({ backups }) => backups !== null)).backups).toEqual({
      restic: null,
      key,
      mayReseal: false,
    })
    socket.send(JSON.stringify({ ...agentState, restic: '0.14.0', backupKey: key }))
    await see('with restic', ({ backups }) => backups?.restic === '0.14.0')
    socket.terminate()
  })

  test('reach the agent with their rights, of which the row shows nothing and keeps nothing after the end', async () => {
    const { mine, socket, commands, report } = await connect()
    const kind = taskKinds['backup.prune']
    const request = { instanceId: mine.instanceId, params }
    await harness.trx((trx) => harness.api.agents.requestTask(trx, kind, { ...request, taskId: 'at_prune1' }))
    await harness.trx((trx) => harness.api.agents.requestTask(trx, kind, { ...request, taskId: 'at_prune2' }))
    expect(await commands.next(isOf('task'))).toEqual({
      type: 'task',
      taskId: 'at_prune1',
      kind: 'backup.prune',
      params,
    })
    expect(await stored('at_prune1')).toContain('sealed')
    const open = (taskId: string) => harness.api.agents.readParams(harness.db, taskId)
    expect(await open('at_prune1')).toEqual(params)
    expect(await stored('at_prune1')).not.toContain(params.repository.token)
    report([
      held('at_prune1', 'done', { result: { outcome: 'failed', failure: 'wrong_password', text: 'No key opens.' } }),
      held('at_prune2', 'canceled'),
    ])
    await until('both have ended', async () => (await find('at_prune2'))?.state === 'canceled')
    expect(await find('at_prune1')).toMatchObject({ state: 'done', params: {}, result: { failure: 'wrong_password' } })
    expect(await stored('at_prune2')).not.toContain('sealed')
    expect(await open('at_prune2')).toEqual({})
    socket.terminate()

    const away = harness.newInstance()
    await harness.issue(away)
    const unsaid = { taskId: 'at_prune3', instanceId: away.instanceId, params }
    await harness.trx((trx) => harness.api.agents.requestTask(trx, kind, unsaid))
    await harness.trx((trx) => harness.api.agents.cancelTask(trx, 'at_prune3'))
    expect(await find('at_prune3')).toMatchObject({ state: 'canceled', params: {} })
  })
})

test('a real agent and its api process are killed; each task it was asked for meanwhile has its end', async () => {
  const [port = 0] = await findFreePorts(1)
  let server = await harness.startApiProcess(port)
  try {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    const { instanceId } = place
    const origin = `http://127.0.0.1:${port}`
    const first = harness.start(instanceId, token, origin)
    await harness.waitFor(instanceId, 'connected', ({ connected }) => connected)
    const asked: string[] = []
    const requestDrain = async () => {
      const request = { taskId: `at_killed${asked.length}`, instanceId, params: { withinMs: 1000 + asked.length } }
      asked.push(request.taskId)
      await harness.trx((trx) => harness.api.agents.requestTask(trx, taskKinds.drain, request))
    }
    await requestDrain()
    await first.kill('SIGKILL')
    await requestDrain()
    server.kill('SIGKILL')
    harness.start(instanceId, token, origin)
    await requestDrain()
    server = await harness.startApiProcess(port)
    await until('all have ended', async () => {
      const tasks = await harness.api.agents.listTasks(harness.db, asked)
      return tasks.every(({ state }) => state === 'done')
    })
    expect(await harness.api.agents.listTasks(harness.db, asked)).toHaveLength(3)
  } finally {
    server.kill('SIGKILL')
  }
})
