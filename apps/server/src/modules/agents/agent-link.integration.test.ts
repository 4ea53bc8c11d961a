import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agentChannelPath, agentEnroll } from '@atoll/contract/agents'
import { codes } from '@atoll/contract/wire'
import {
  createScriptedWallet,
  createTestDatabase,
  findFreePorts,
  postJson,
  type TestDatabase,
  until,
} from '@atoll/testkit'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { sha256Hex } from '../../platform/crypto.ts'
import type { AgentRef, AgentRow, IssuedCommand } from './index.ts'
import { type AgentProcess, startAgentProcess } from './testing/agent-process.ts'
import { type AgentsApp, startAgentsApp } from './testing/agents-app.ts'

const steps = ['prepare', 'fetch', 'services', 'network', 'handover']
const owner = createScriptedWallet()
let testDatabase: TestDatabase
let api: AgentsApp
let folder: string
const changes: AgentRef[] = []
const running: AgentProcess[] = []
let serial = 0
/** Whether clusters take one more machine. */
let admits = false

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'atoll-agents-'))
  api = await startAgentsApp({
    databaseUrl: testDatabase.url,
    ownerDid: owner.did,
    publicUrl: 'http://reef.test',
    onAgentChange: async (_, agent) => void changes.push(agent),
    async admitWorker(_, __, makeAgent) {
      if (!admits) return undefined
      const { instanceId } = newInstance()
      await makeAgent(instanceId)
      return instanceId
    },
  })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.kill('SIGKILL')))
})
afterAll(async () => {
  await api.close()
  await testDatabase.drop()
  await rm(folder, { recursive: true })
})

function newInstance(): { instanceId: string; clusterId: string } {
  serial += 1
  return { instanceId: `in_instance${serial}00000`, clusterId: `cl_cluster${serial}00000` }
}

async function issue(place: { instanceId: string; clusterId: string }): Promise<string> {
  return await api.database.db.transaction().execute((trx) => api.agents.issueEnrollToken(trx, place))
}

async function requestInstall(instanceId: string, taskId = 'op_task1'): Promise<void> {
  await api.database.db
    .transaction()
    .execute((trx) => api.agents.requestInstall(trx, { instanceId, taskId, version: '1.0.0', steps }))
}

function start(instanceId: string, enrollToken: string, origin = api.origin): AgentProcess {
  const agent = startAgentProcess(join(folder, instanceId), {
    ATOLL_AGENT_CONTROL_URL: origin,
    ATOLL_AGENT_ENROLL_TOKEN: enrollToken,
    ATOLL_AGENT_INSTANCE: instanceId,
  })
  running.push(agent)
  return agent
}

async function see(instanceId: string): Promise<AgentRow | undefined> {
  return (await api.agents.listAgents(api.database.db, [instanceId]))[0]
}

async function waitFor(instanceId: string, what: string, holds: (row: AgentRow) => boolean): Promise<AgentRow> {
  return await until(what, async () => {
    const row = await see(instanceId)
    return row && holds(row) ? row : undefined
  })
}

async function enroll(enrollToken: string, agentToken: string): Promise<number> {
  const answer = await postJson(api.origin + agentEnroll.path, { enrollToken, tokenHash: sha256Hex(agentToken) })
  return answer.code
}

/** How the server answers a channel request: 101 or an HTTP status. */
async function openChannel(authorization: string): Promise<{ status: number; socket: WebSocket }> {
  const socket = new WebSocket(api.origin.replace('http', 'ws') + agentChannelPath, { headers: { authorization } })
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.once('error', () => undefined)
  })
  return { status, socket }
}

describe('an agent', () => {
  test('enrolls, installs and reports, with every change told in its transaction', async () => {
    const place = newInstance()
    const token = await issue(place)
    await requestInstall(place.instanceId)
    const agent = start(place.instanceId, token)
    const row = await waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
    expect(row).toMatchObject({ connected: true, osActive: false, port: await agent.port() })
    expect(row.oneTimePassword).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
    expect(row.install.steps.map(({ step, state }) => [step, state])).toEqual(steps.map((step) => [step, 'done']))
    for (const line of row.install.steps.flatMap(({ lines }) => lines))
      expect(line).toMatch(/^\d\d:\d\d:\d\d [a-z]+ .+$/)
    expect(changes).toContainEqual(place)

    const stored = await sql<{ text: string }>`select agents::text as text from agents`.execute(api.database.db)
    expect(stored.rows.map(({ text }) => text).join()).not.toContain(row.oneTimePassword)
    const identity = JSON.parse(await readFile(join(folder, place.instanceId, 'agent.json'), 'utf8'))
    expect(agent.log()).not.toContain(identity.token)
    expect(agent.log()).not.toContain(token)
    expect((await stat(join(folder, place.instanceId, 'agent.json'))).mode & 0o777).toBe(0o600)
  })

  test('takes up a wish made while it is connected', async () => {
    const place = newInstance()
    start(place.instanceId, await issue(place))
    await waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await requestInstall(place.instanceId)
    await waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
  })

  test('is seen to go when it stops, and keeps its port and its password when it is back', async () => {
    const place = newInstance()
    const token = await issue(place)
    await requestInstall(place.instanceId)
    const first = start(place.instanceId, token)
    const before = await waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')
    await first.kill('SIGTERM')
    expect(await first.exited).toBe(0)
    await waitFor(place.instanceId, 'gone', ({ connected }) => !connected)
    start(place.instanceId, token)
    const after = await waitFor(
      place.instanceId,
      'back',
      ({ connected, bootId }) => connected && bootId !== before.bootId,
    )
    expect(after).toMatchObject({ port: before.port, oneTimePassword: before.oneTimePassword, install: before.install })
  })

  test('measures, and the newest measurement is the one shown', async () => {
    const place = newInstance()
    start(place.instanceId, await issue(place))
    const latest = await until('measured', async () => {
      const byId = await api.agents.latestMetrics(api.database.db, [place.instanceId])
      return byId.get(place.instanceId)
    })
    expect(latest.memoryTotal).toBeGreaterThan(latest.memoryUsed)
    expect(latest.cpu).toBeGreaterThanOrEqual(0)
  })

  test('that another one of the same home finds running ends with the code for that', async () => {
    const place = newInstance()
    const token = await issue(place)
    await start(place.instanceId, token).port()
    const second = start(place.instanceId, token)
    expect(await second.exited).toBe(3)
    expect(second.log()).toContain('another agent runs')
  })
})

describe('enrollment', () => {
  test('is repeated by the one who did it, and refused to everybody else', async () => {
    const place = newInstance()
    const token = await issue(place)
    expect(await enroll(token, 'first')).toBe(codes.ok)
    expect(await enroll(token, 'first')).toBe(codes.ok)
    expect(await enroll(token, 'thief')).toBe(codes.forbidden)
    expect(await enroll('x'.repeat(43), 'first')).toBe(codes.forbidden)
    expect(await issue(place)).toBe(token)
    expect(await enroll(token, 'thief')).toBe(codes.forbidden)
  })

  test('of a token that is too old is refused, and a new issue makes it good again', async () => {
    const place = newInstance()
    const token = await issue(place)
    await api.database.db
      .updateTable('agents')
      .set({ enroll_expires_at: new Date(Date.now() - 1000) })
      .where('instance_id', '=', place.instanceId)
      .execute()
    expect(await enroll(token, 'late')).toBe(codes.forbidden)
    await issue(place)
    expect(await enroll(token, 'late')).toBe(codes.ok)
  })

  test('refused for good ends the agent with a code of its own', async () => {
    const place = newInstance()
    const token = await issue(place)
    expect(await enroll(token, 'somebody else')).toBe(codes.ok)
    const agent = start(place.instanceId, token)
    expect(await agent.exited).toBe(4)
    expect(agent.log()).toContain('enrolment refused')
  })

  test('of two at once lets one in', async () => {
    const token = await issue(newInstance())
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => enroll(token, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
  })
})

describe('the channel', () => {
  test('refuses whoever cannot prove the instance they name', async () => {
    const [mine, other] = [newInstance(), newInstance()]
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    await enroll(await issue(other), 'other-token-of-some-length')
    for (const authorization of [
      `Bearer ${other.instanceId}.my-own-token-of-some-length`,
      `Bearer ${mine.instanceId}.`,
      'Bearer in_unknown0000.my-own-token-of-some-length',
      'Basic abc',
      '',
    ])
      expect((await openChannel(authorization)).status).toBe(401)
    const { status, socket } = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    expect(status).toBe(101)
    socket.terminate()
  })

  test('ends the older of two connections of one agent', async () => {
    const mine = newInstance()
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    const first = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const ended = once(first.socket, 'close')
    const second = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    expect((await ended)[0]).toBe(4001)
    await waitFor(mine.instanceId, 'still connected', ({ connected }) => connected)
    second.socket.terminate()
    await waitFor(mine.instanceId, 'gone', ({ connected }) => !connected)
  })

  test.each([
    ['text that is no JSON', 'nonsense'],
    ['a message of no known type', '{"type":"steal"}'],
    ['a state without its fields', '{"type":"state","protocol":1}'],
    ['what jsonb cannot hold', '{"type":"metrics","x":"\\u0000"}'],
    ['too much', `{"type":"state","x":"${'x'.repeat(5 * 1024 * 1024)}"}`],
  ])('is closed on %s', async (_, message) => {
    const mine = newInstance()
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    const { socket } = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const ended = once(socket, 'close')
    socket.send(message)
    expect([1008, 1009]).toContain((await ended)[0])
  })

  test('takes measurements no faster than they are meant to come', async () => {
    const mine = newInstance()
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    const { socket } = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    const figures = { cpu: 0, memoryUsed: 0, memoryTotal: 0, diskUsed: 0, diskTotal: 0, netIn: 0, netOut: 0 }
    const begun = Date.now()
    for (let at = 0; at < 500; at += 1) socket.send(JSON.stringify({ type: 'metrics', metrics: { at, ...figures } }))
    await waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
    socket.close()
    await waitFor(mine.instanceId, 'gone', ({ connected }) => !connected)
    const stored = () =>
      api.database.db.selectFrom('agent_metrics').select('at').where('instance_id', '=', mine.instanceId).execute()
    const seconds = (Date.now() - begun) / 1000
    await until('a measurement is stored', async () => (await stored()).length > 0)
    // One at once, and one more for each second that sending them took.
    expect((await stored()).length).toBeLessThanOrEqual(1 + Math.ceil(seconds))
  })

  test('ends when the instance is forgotten, and nothing of it is left', async () => {
    const mine = newInstance()
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    const { socket } = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    await waitFor(mine.instanceId, 'connected', ({ connected }) => connected)
    const ended = once(socket, 'close')
    await api.database.db.transaction().execute((trx) => api.agents.forgetAgents(trx, [mine.instanceId]))
    expect((await ended)[0]).toBe(4002)
    expect(await see(mine.instanceId)).toBeUndefined()
  })
})

describe('a machine of the owner’s own', () => {
  const state = {
    type: 'state',
    protocol: 1,
    agentVersion: '1.0.0',
    bootId: 'boot',
    port: 8080,
    install: { state: 'waiting', taskId: null, reason: null, steps: [] },
    osActive: true,
    oneTimePassword: null,
  }
  async function connect() {
    const mine = newInstance()
    await enroll(await issue(mine), 'my-own-token-of-some-length')
    const { socket } = await openChannel(`Bearer ${mine.instanceId}.my-own-token-of-some-length`)
    return { mine, socket }
  }
  const trx = <T>(act: Parameters<ReturnType<typeof api.database.db.transaction>['execute']>[0]) =>
    api.database.db.transaction().execute(act) as Promise<T>

  test('gets in with the last command that was shown, and only with that', async () => {
    const place = newInstance()
    const { enrollCommands } = api.agents
    const [first, second] = await trx<IssuedCommand[]>(async (at) => [
      await enrollCommands.issue(at, place),
      await enrollCommands.issue(at, place),
    ])
    const tokenOf = (issued?: IssuedCommand) => (issued ? enrollCommands.describe(issued).enrollToken : '')
    expect(await enroll(tokenOf(first), 'late')).toBe(codes.forbidden)
    expect(await enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await enroll(tokenOf(second), 'thief')).toBe(codes.forbidden)
    expect(await enroll(tokenOf(second), 'mine')).toBe(codes.ok)
    expect(await trx(async (at) => await enrollCommands.issue(at, place))).toBeUndefined()
    const { command } = enrollCommands.describe(second as IssuedCommand) // issued above
    expect(command).toBe(`curl -fsSL http://localhost/enroll.sh | ATOLL_ENROLL_TOKEN=${tokenOf(second)} sh`)
  })

  test('that comes with a worker’s command is one machine, however many try', async () => {
    const { clusterId } = newInstance()
    const { enrollCommands } = api.agents
    const issued = await trx<IssuedCommand>((at) => enrollCommands.issueForWorker(at, clusterId))
    const { enrollToken } = enrollCommands.describe(issued)
    expect(await enroll(enrollToken, 'a')).toBe(codes.forbidden)
    admits = true
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => enroll(enrollToken, name)))
    expect(answers.filter((code) => code === codes.ok)).toHaveLength(1)
    admits = false
  })

  test('that reports in a hurry is stored four times a second, its last state in the end', async () => {
    const { mine, socket } = await connect()
    const begun = Date.now()
    for (let count = 1; count <= 90; count += 1) {
      socket.send(JSON.stringify({ ...state, bootId: `boot ${count}` }))
      // The server has it, and time to store it, before the next.
      const answered = once(socket, 'pong')
      socket.ping()
      await answered
    }
    await waitFor(mine.instanceId, 'the last state', ({ bootId }) => bootId === 'boot 90')
    const stored = changes.filter(({ instanceId }) => instanceId === mine.instanceId).length
    // One for the connection, one at once, and four for each second that it took.
    expect(stored).toBeLessThanOrEqual(2 + Math.ceil(((Date.now() - begun) / 1000) * 4))
    socket.send(JSON.stringify({ ...state, bootId: 'boot 91' }))
    socket.close()
    await waitFor(mine.instanceId, 'what was said last before leaving', ({ bootId }) => bootId === 'boot 91')
  })

  test('that floods is cut off', async () => {
    const { socket } = await connect()
    const ended = once(socket, 'close')
    for (let count = 1; count <= 300; count += 1) socket.send(JSON.stringify({ ...state, bootId: `boot ${count}` }))
    expect((await ended)[0]).toBe(1008)
  })

  test('that names another cluster than its own is not believed', async () => {
    const { mine, socket } = await connect()
    const ended = once(socket, 'close')
    socket.send(JSON.stringify({ ...state, clusterId: 'cl_somebodyelse' }))
    expect((await ended)[0]).toBe(1008)
    expect(await see(mine.instanceId)).toMatchObject({ bootId: null, osActive: false })
  })

  test('that says it left, though nobody told it to, is still there; told, it is gone', async () => {
    const mine = newInstance()
    const token = 'my-own-token-of-some-length'
    await enroll(await issue(mine), token)
    const sayLeft = async () => {
      const { socket } = await openChannel(`Bearer ${mine.instanceId}.${token}`)
      const ended = once(socket, 'close')
      socket.send(JSON.stringify({ type: 'left' }))
      return { socket, ended }
    }
    const find = () => api.agents.machines.find(api.database.db, mine.instanceId)
    const liar = await sayLeft()
    expect((await liar.ended)[0]).toBe(1008)
    expect(await find()).toMatchObject({ hasLeft: false, leavingForMs: null })

    await api.agents.machines.requestLeave(api.database.db, mine.instanceId)
    const { socket } = await sayLeft()
    await until('it has left', async () => (await find())?.hasLeft === true)
    socket.terminate()
  })

  test('starts anew when told, once', async () => {
    const place = newInstance()
    const token = await issue(place)
    const agent = start(place.instanceId, token)
    const before = await waitFor(place.instanceId, 'reporting', ({ bootId }) => bootId !== null)
    await api.agents.machines.requestRestart(api.database.db, place.instanceId, before.bootId ?? '')
    expect(await agent.exited).toBe(10)
    start(place.instanceId, token)
    await waitFor(place.instanceId, 'back', ({ connected, bootId }) => connected && bootId !== before.bootId)
  })

  test('that was away when it was given up hears it when it comes back, and is let in no more', async () => {
    const place = newInstance()
    const token = await issue(place)
    const agent = start(place.instanceId, token)
    await waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await agent.kill('SIGKILL')
    await waitFor(place.instanceId, 'away', ({ connected }) => !connected)
    await trx(async (at) => await api.agents.setWipe(at, [place.instanceId], true))
    await api.agents.machines.requestLeave(api.database.db, place.instanceId)
    await trx(async (at) => await api.agents.forgetAgents(at, [place.instanceId]))
    const again = start(place.instanceId, token)
    expect(await again.exited).toBe(11)
    expect(await readdir(join(folder, place.instanceId))).toEqual([])
    // The agent is gone once it has said so; the server may still be writing that down.
    await until('nobody has to be told any more', async () => {
      const left = await api.database.db.selectFrom('agent_farewells').selectAll().execute()
      return left.length === 0
    })
  })
})

describe('with two api processes', () => {
  test('a wish made at one reaches the agent at the other, and the agent may change over', async () => {
    await using stack = new AsyncDisposableStack()
    const other = await startApp()
    stack.defer(() => other.close())
    const place = newInstance()
    start(place.instanceId, await issue(place), other.origin)
    await waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await requestInstall(place.instanceId)
    await waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')

    const identity = JSON.parse(await readFile(join(folder, place.instanceId, 'agent.json'), 'utf8'))
    const second = await openChannel(`Bearer ${place.instanceId}.${identity.token}`)
    expect(second.status).toBe(101)
    const gone = once(second.socket, 'close')
    // The agent was told that it was replaced, came back, and replaced the intruder.
    expect((await gone)[0]).toBe(4001)
    await waitFor(place.instanceId, 'connected', ({ connected }) => connected)
  })

  test('one that stops in order hands its agents over at once', async () => {
    const [port = 0] = await findFreePorts(1)
    const first = await startApp(port)
    const place = newInstance()
    start(place.instanceId, await issue(place), `http://127.0.0.1:${port}`)
    await waitFor(place.instanceId, 'connected', ({ connected }) => connected)
    await first.close()
    // By itself its silence would be noticed 15 s later.
    expect(await see(place.instanceId)).toMatchObject({ connected: false })
    const second = await startApp(port)
    await waitFor(place.instanceId, 'back', ({ connected }) => connected)
    await second.close()
  })

  async function startApp(port = 0): Promise<AgentsApp> {
    return await startAgentsApp({
      databaseUrl: testDatabase.url,
      ownerDid: owner.did,
      publicUrl: 'http://reef.test',
      port,
    })
  }
})

describe('when the api process is killed', () => {
  let child: ChildProcess | undefined
  afterEach(() => void child?.kill('SIGKILL'))

  async function startApi(port: number): Promise<void> {
    child = spawn(process.execPath, [join(import.meta.dirname, 'testing/api-process.ts')], {
      env: {
        ...process.env,
        DATABASE_URL: testDatabase.url,
        PORT: String(port),
        OWNER_DID: owner.did,
        PUBLIC_URL: 'http://reef.test',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (child.stdout) await once(child.stdout, 'data')
  }

  test('its agents come back to it, and until then are seen to be gone', async () => {
    const [port = 0] = await findFreePorts(1)
    await startApi(port)
    const place = newInstance()
    await requestInstallLater(place)
    start(place.instanceId, await issue(place), `http://127.0.0.1:${port}`)
    const before = await waitFor(place.instanceId, 'installed', ({ install }) => install.state === 'done')

    child?.kill('SIGKILL')
    changes.length = 0
    // The other api process, this one, sees the silence.
    await waitFor(place.instanceId, 'seen to be gone', ({ connected }) => !connected)
    await until('told', () => changes.some(({ instanceId }) => instanceId === place.instanceId))

    await startApi(port)
    const after = await waitFor(place.instanceId, 'back', ({ connected }) => connected)
    expect(after).toMatchObject({
      bootId: before.bootId,
      install: before.install,
      oneTimePassword: before.oneTimePassword,
    })
  })

  async function requestInstallLater(place: { instanceId: string; clusterId: string }): Promise<void> {
    await issue(place)
    await requestInstall(place.instanceId)
  }
})
