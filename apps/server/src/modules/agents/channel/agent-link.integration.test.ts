import { once } from 'node:events'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentChannelPath, taskResultLimit } from '@atoll/contract/agents'
import { until } from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { countDialed } from '../count-agents.ts'
import { type AgentHarness, agentState, createAgentHarness, steps } from '../testing/agent-harness.ts'

let harness: AgentHarness

beforeAll(async () => {
  harness = await createAgentHarness()
})
afterEach(() => harness.killAgents())
afterAll(() => harness.close())

describe('an agent', () => {
  test('enrolls, installs and reports, with every change published in its transaction', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    await harness.requestInstall(place.instanceId)
    const agent = harness.start(place.instanceId, token)
    const row = await harness.waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
    expect(row).toMatchObject({ connected: true, osActive: false, port: await agent.port() })
    expect(row.oneTimePassword).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    expect(row.install.steps.map(({ step, state }) => [step, state])).toEqual(steps.map((step) => [step, 'done']))
    for (const line of row.install.steps.flatMap(({ lines }) => lines))
      expect(line).toMatch(/^\d\d:\d\d:\d\d [a-z]+ .+$/)
    expect(harness.changes).toContainEqual(place)
    const called = await countDialed(harness.db)
    expect(called).toContainEqual({ host: new URL(harness.api.origin).host, connected: 1, away: 0, awaySince: null })

    const stored = await sql<{ text: string }>`select agents::text as text from agents`.execute(harness.db)
    expect(stored.rows.map(({ text }) => text).join()).not.toContain(row.oneTimePassword)
    const identity = JSON.parse(await readFile(join(harness.folder, place.instanceId, 'agent.json'), 'utf8'))
    expect(agent.log()).not.toContain(identity.token)
    expect(agent.log()).not.toContain(token)
    expect((await stat(join(harness.folder, place.instanceId, 'agent.json'))).mode & 0o777).toBe(0o600)
  })

  test('takes up an install requested while it is connected', async () => {
    const place = harness.newInstance()
    harness.start(place.instanceId, await harness.issue(place))
    await harness.waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await harness.requestInstall(place.instanceId)
    await harness.waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
  })

  test('is seen to go when it stops, and keeps its port and its password when it is back', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    await harness.requestInstall(place.instanceId)
    const first = harness.start(place.instanceId, token)
    const before = await harness.waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
    await first.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    await harness.waitFor(place.instanceId, 'gone', ({ connected }) => !connected)
    harness.start(place.instanceId, token)
    const after = await harness.waitFor(
      place.instanceId,
      'back',
      ({ connected, bootId }) => connected && bootId !== before.bootId,
    )
    expect(after).toMatchObject({ port: before.port, oneTimePassword: before.oneTimePassword, install: before.install })
  })

  test('reports what runs on it, and within ten seconds what its script reports as dead', async () => {
    const place = harness.newInstance()
    harness.start(place.instanceId, await harness.issue(place))
    await harness.requestInstall(place.instanceId)
    const of = (wanted: string) =>
      harness.waitFor(place.instanceId, wanted, ({ workloads }) =>
        (workloads ?? []).some(({ name, state }) => `${name} ${state}` === wanted),
      )
    await of('server Completed')
    const folder = join(harness.folder, place.instanceId, 'script')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'workloads.json'), '[{"name":"photos","state":"Failed","reason":"Exited with 137."}]')
    const row = await of('photos Failed')
    expect(row.workloads?.find(({ name }) => name === 'photos')).toMatchObject({
      ready: 0,
      wanted: 1,
      reason: 'Exited with 137.',
    })
  })

  test('measures, and the newest measurement is the one shown', async () => {
    const place = harness.newInstance()
    harness.start(place.instanceId, await harness.issue(place))
    const latest = await until('measured', async () => {
      const byId = await harness.api.observe.samples.latest([place.instanceId])
      return byId.get(place.instanceId)
    })
    expect(latest.memoryTotal).toBeGreaterThan(latest.memoryUsed)
    expect(latest.cpu).toBeGreaterThanOrEqual(0)
  })

  test('that another one of the same home finds running ends with the code for that', async () => {
    const place = harness.newInstance()
    const token = await harness.issue(place)
    await harness.start(place.instanceId, token).port()
    const second = harness.start(place.instanceId, token)
    expect(await second.exited).toBe(3)
    expect(second.log()).toContain('another agent runs')
  })
})

describe('the channel', () => {
  test('refuses an agent that cannot prove the instance it names', async () => {
    const [mine, other] = [harness.newInstance(), harness.newInstance()]
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    await harness.enroll(await harness.issue(other), 'other-token-of-some-length')
    for (const authorization of [
      `Bearer ${other.instanceId}.my-own-token-of-some-length`,
      `Bearer ${mine.instanceId}.`,
      'Bearer in_unknown0000.my-own-token-of-some-length',
      'Basic abc',
      '',
    ])
      expect((await harness.openChannel(authorization)).status).toBe(401)
    const { status, socket } = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    expect(status).toBe(101)
    socket.terminate()
  })

  test('ends the older of two connections of one agent', async () => {
    const mine = harness.newInstance()
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    const first = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const ended = once(first.socket, 'close')
    const second = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    expect((await ended)[0]).toBe(4001)
    await harness.waitFor(mine.instanceId, 'still connected', ({ connected }) => connected)
    second.socket.terminate()
    await harness.waitFor(mine.instanceId, 'gone', ({ connected }) => !connected)
  })

  test.each([
    ['text that is no JSON', 'nonsense'],
    ['a message of no known type', '{"type":"steal"}'],
    ['a state without its fields', '{"type":"state","protocol":1}'],
    ['what jsonb cannot hold', '{"type":"metrics","x":"\\u0000"}'],
    ['too much', `{"type":"state","x":"${'x'.repeat(5 * 1024 * 1024)}"}`],
  ])('is closed on %s', async (_, message) => {
    const mine = harness.newInstance()
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    const { socket } = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const ended = once(socket, 'close')
    socket.send(message)
    expect([1008, 1009]).toContain((await ended)[0])
  })

  test('takes measurements no faster than they are meant to come', async () => {
    const mine = harness.newInstance()
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    const { socket } = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const figures = { cpu: 0, memoryUsed: 0, memoryTotal: 0, diskUsed: 0, diskTotal: 0, netIn: 0, netOut: 0 }
    const begun = Date.now()
    for (let at = 0; at < 150; at += 1) socket.send(JSON.stringify({ type: 'metrics', metrics: { at, ...figures } }))
    await harness.waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
    socket.close()
    await harness.waitFor(mine.instanceId, 'gone', ({ connected }) => !connected)
    const seconds = (Date.now() - begun) / 1000
    const taken = harness.api.sampled.filter((id) => id === mine.instanceId).length
    expect(taken).toBeGreaterThan(0)
    // One at once, and one more for each second that sending them took.
    expect(taken).toBeLessThanOrEqual(1 + Math.ceil(seconds))
  })

  test.each([
    ['cpu', null],
    ['cpu', 1e300],
    ['memoryUsed', -1],
    ['diskTotal', 1e300],
    ['netIn', 'many'],
    ['at', -1],
  ])('leaves out a measurement whose %s is %j, and serves the agent on', async (field, value) => {
    const mine = harness.newInstance()
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    const { socket } = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const figures = { at: 0, cpu: 0, memoryUsed: 1, memoryTotal: 2, diskUsed: 1, diskTotal: 2, netIn: 0, netOut: 0 }
    socket.send(JSON.stringify({ type: 'metrics', metrics: { ...figures, [field]: value } }))
    // The agent's own clock does not matter.
    const at = Date.parse('2099-01-01T00:00:00Z')
    socket.send(JSON.stringify({ type: 'metrics', metrics: { ...figures, at, memoryUsed: 77 } }))
    const latest = await until('the next one is taken', async () =>
      (await harness.api.observe.samples.latest([mine.instanceId])).get(mine.instanceId),
    )
    expect(latest).toMatchObject({ memoryUsed: 77 })
    expect(latest.at.getTime()).toBeLessThanOrEqual(Date.now())
    expect(socket.readyState).toBe(socket.OPEN)
    expect(harness.api.sampled.filter((id) => id === mine.instanceId)).toHaveLength(1)
    socket.terminate()
  })

  test('ends when the instance is forgotten, and nothing of it is left', async () => {
    const mine = harness.newInstance()
    await harness.enroll(await harness.issue(mine), 'my-own-token-of-some-length')
    const { socket } = await harness.openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    await harness.waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
    const ended = once(socket, 'close')
    await harness.db.transaction().execute((trx) => harness.api.agents.forgetAgents(trx, [mine.instanceId]))
    expect((await ended)[0]).toBe(4002)
    expect(await harness.see(mine.instanceId)).toBeUndefined()
  })
})

describe('an agent that reports', () => {
  test('in a hurry is stored four times a second, its last state in the end', async () => {
    const { mine, socket } = await harness.connect()
    const begun = Date.now()
    for (let count = 1; count <= 90; count += 1) {
      socket.send(JSON.stringify({ ...agentState, bootId: `boot ${count}` }))
      // The server has it, and time to store it, before the next.
      const answered = once(socket, 'pong')
      socket.ping()
      await answered
    }
    await harness.waitFor(mine.instanceId, 'the last state', ({ bootId }) => bootId === 'boot 90')
    const stored = harness.changes.filter(({ instanceId }) => instanceId === mine.instanceId).length
    // One for the connection, one at once, and four for each second that it took.
    expect(stored).toBeLessThanOrEqual(2 + Math.ceil(((Date.now() - begun) / 1000) * 4))
    socket.send(JSON.stringify({ ...agentState, bootId: 'boot 91' }))
    socket.close()
    await harness.waitFor(mine.instanceId, 'what was said last before leaving', ({ bootId }) => bootId === 'boot 91')
  })

  test('in a flood is held back, not cut off, and others are served meanwhile', async () => {
    const { mine, socket } = await harness.connect()
    const other = await harness.connect()
    for (let count = 1; count <= 2000; count += 1)
      socket.send(JSON.stringify({ ...agentState, bootId: `boot ${count}` }))
    other.socket.send(JSON.stringify({ ...agentState, bootId: 'boot of the other' }))
    await harness.waitFor(other.mine.instanceId, 'its state', ({ bootId }) => bootId === 'boot of the other')
    const seen = await harness.waitFor(mine.instanceId, 'a state of the flood', ({ bootId }) => bootId !== null)
    // Read at once is what an agent may send in eight seconds.
    expect(Number(seen.bootId?.replace('boot ', ''))).toBeLessThan(1000)
    expect(socket.readyState).toBe(socket.OPEN)
    socket.terminate()
  })

  test('more than is stored of an agent keeps the newest lines of its install, and is left out where it is still too large', async () => {
    const { mine, socket } = await harness.connect()
    const lines = Array.from({ length: 200 }, (_, at) => `14:00:00 agent ${at} ${'x'.repeat(480)}`)
    const steps = ['prepare', 'download'].map((step) => ({
      step,
      state: 'running',
      startedAt: null,
      endedAt: null,
      lines,
    }))
    const install = { ...agentState.install, steps }
    socket.send(JSON.stringify({ ...agentState, bootId: 'boot large', install }))
    await harness.waitFor(mine.instanceId, 'the state', ({ bootId }) => bootId === 'boot large')
    const { rows } = await sql<{ install: { steps: { lines: string[] }[] } }>`
      select install::jsonb from agents where instance_id = ${mine.instanceId}`.execute(harness.db)
    expect(JSON.stringify(rows[0]).length).toBeLessThan(64 * 1024)
    expect(rows[0]?.install.steps.map((step) => step.lines.at(-1))).toEqual([lines.at(-1), lines.at(-1)])
    const tasks = Array.from({ length: 8 }, (_, at) => ({
      taskId: `at_large${at}`,
      state: 'done',
      result: { much: 'x'.repeat(taskResultLimit - 20) },
      reason: null,
    }))
    socket.send(JSON.stringify({ ...agentState, bootId: 'boot larger', tasks }))
    // It is stored at the latest when the agent leaves, if it is.
    socket.close()
    const left = await harness.waitFor(mine.instanceId, 'the end', ({ connected }) => !connected)
    expect(left.bootId).toBe('boot large')
  })

  test('an agent that dials over and over is refused before it is looked up, and no other is', async () => {
    const strict = await harness.startApp(0, { rateFactor: 1 })
    try {
      const dial = async (instanceId: string) =>
        (
          await fetch(strict.origin + agentChannelPath, {
            headers: { authorization: `Bearer ${instanceId}.a-token-of-some-length` },
          })
        ).status
      const statuses: number[] = []
      for (let count = 0; count < 70; count += 1) statuses.push(await dial('in_instance000001'))
      expect(statuses.slice(0, 60)).toEqual(Array(60).fill(401))
      expect(statuses).toContain(429)
      expect(await dial('in_instance000002')).toBe(401)
    } finally {
      await strict.close()
    }
  })

  test('another cluster than its own is not believed', async () => {
    const { mine, socket } = await harness.connect()
    const ended = once(socket, 'close')
    socket.send(JSON.stringify({ ...agentState, clusterId: 'cl_somebodyelse' }))
    expect((await ended)[0]).toBe(1008)
    expect(await harness.see(mine.instanceId)).toMatchObject({ bootId: null, osActive: false })
  })
})
