/** An api process's share of agents, and agents that it meets: real ones as processes, scripted ones over a socket. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentCommand, agentChannelPath, agentEnroll } from '@atoll/contract/agents'
import { createScriptedWallet, createTestDatabase, postJson, type TestDatabase, until } from '@atoll/testkit'
import { WebSocket } from 'ws'
import { sha256Hex } from '../../../platform/crypto.ts'
import type { Trx } from '../../../platform/db/index.ts'
import type { AgentRef, AgentRow } from '../index.ts'
import { type AgentProcess, startAgentProcess } from './agent-process.ts'
import { type AgentsApp, type AgentsAppOptions, startAgentsApp } from './agents-app.ts'

export const steps = ['prepare', 'fetch', 'services', 'network', 'handover']
export const owner = createScriptedWallet()
/** Of scripted agents. */
export const agentToken = 'my-own-token-of-some-length'

/** The reported state of a scripted agent. */
export const agentState = {
  type: 'state',
  protocol: 1,
  agentVersion: '1.0.0',
  bootId: 'boot',
  port: 8080,
  install: { state: 'waiting', taskId: null, reason: null, steps: [] },
  osActive: true,
  oneTimePassword: null,
  tasks: [],
}

export interface Place {
  instanceId: string
  clusterId: string
}

export type AgentHarness = Awaited<ReturnType<typeof createAgentHarness>>

export async function createAgentHarness(options: Partial<AgentsAppOptions> = {}) {
  const testDatabase: TestDatabase = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'atoll-agents-'))
  const changes: AgentRef[] = []
  const running: AgentProcess[] = []
  let serial = 0
  const appOptions = { databaseUrl: testDatabase.url, ownerDid: owner.did, publicUrl: 'http://reef.test' }
  const api: AgentsApp = await startAgentsApp({
    ...appOptions,
    onAgentChange: async (_, agent) => void changes.push(agent),
    ...options,
  })
  const { agents } = api
  const { db } = api.database

  function newInstance(): Place {
    serial += 1
    return { instanceId: `in_instance${serial}00000`, clusterId: `cl_cluster${serial}00000` }
  }

  const trx = async <T>(act: (at: Trx) => Promise<T>): Promise<T> => await db.transaction().execute(act)

  async function issue(place: Place): Promise<string> {
    return await trx((at) => agents.issueEnrollToken(at, place))
  }

  async function see(instanceId: string): Promise<AgentRow | undefined> {
    return (await agents.listAgents(db, [instanceId]))[0]
  }

  async function enroll(enrollToken: string, token: string): Promise<number> {
    const answer = await postJson(api.origin + agentEnroll.path, { enrollToken, tokenHash: sha256Hex(token) })
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

  return {
    api,
    db,
    folder,
    changes,
    newInstance,
    trx,
    issue,
    see,
    enroll,
    openChannel,
    async requestInstall(instanceId: string, taskId = 'op_task1'): Promise<void> {
      await trx((at) => agents.requestInstall(at, { instanceId, taskId, version: '1.0.0', steps }))
    },
    start(
      instanceId: string,
      enrollToken: string,
      origin = api.origin,
      environment: Record<string, string | undefined> = {},
    ): AgentProcess {
      const agent = startAgentProcess(join(folder, instanceId), {
        ATOLL_AGENT_CONTROL_URL: origin,
        ATOLL_AGENT_ENROLL_TOKEN: enrollToken,
        ATOLL_AGENT_INSTANCE: instanceId,
        ...environment,
      })
      running.push(agent)
      return agent
    },
    async waitFor(instanceId: string, what: string, holds: (row: AgentRow) => boolean): Promise<AgentRow> {
      return await until(what, async () => {
        const row = await see(instanceId)
        return row && holds(row) ? row : undefined
      })
    },
    /** A scripted agent of an instance of its own. */
    async connect(mine = newInstance()): Promise<{ mine: Place; socket: WebSocket }> {
      await enroll(await issue(mine), agentToken)
      const { socket } = await openChannel(`Bearer ${mine.instanceId}.${agentToken}`)
      return { mine, socket }
    },
    /** An api process of its own, which a test can kill; resolves once it listens. */
    async startApiProcess(port: number): Promise<ChildProcess> {
      const environment = { DATABASE_URL: testDatabase.url, PORT: String(port), OWNER_DID: owner.did }
      const child = spawn(process.execPath, [join(import.meta.dirname, 'api-process.ts')], {
        env: { ...process.env, ...environment, PUBLIC_URL: appOptions.publicUrl },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      return child
    },
    startApp: (port = 0, more: Partial<AgentsAppOptions> = {}) => startAgentsApp({ ...appOptions, ...more, port }),
    async killAgents(): Promise<void> {
      await Promise.all(running.splice(0).map((agent) => agent.kill('SIGKILL')))
    },
    async close(): Promise<void> {
      await api.close()
      await testDatabase.drop()
      await rm(folder, { recursive: true })
    },
  }
}

/** The commands that a scripted agent receives from now on. */
export function collectCommands(socket: WebSocket) {
  const all: AgentCommand[] = []
  let taken = 0
  socket.on('message', (data) => all.push(AgentCommand.parse(JSON.parse(String(data)))))
  return {
    all,
    /** The first that `holds`, after what was taken before. */
    async next(holds: (command: AgentCommand) => boolean): Promise<AgentCommand> {
      return await until('the command comes', async () => {
        const at = all.findIndex((command, place) => place >= taken && holds(command))
        if (at === -1) return undefined
        taken = at + 1
        return all[at]
      })
    },
  }
}
