import type { InstallState } from '@atoll/contract/agents'
import type { InstallLog, Workload } from '@atoll/contract/clusters'
import type { AgentTask } from '../../agents/index.ts'
import type { MemoryHarness } from '../../compute/testing/memory-provider.ts'
import type { ClusterAgents } from '../cluster-deps.ts'

export interface SimulatedAgents extends ClusterAgents {
  /** The agents' report about installs: `failed` with this reason, or with null `done` at once. */
  failure: string | null
  /** No agent reports while true. */
  silent: boolean
  activated: boolean
  /** Whether a drain that is asked for is answered; default yes. */
  drains: boolean
  /** The workloads that they report; null: their version is too old to report any. */
  workloads: Workload[] | null
  /** Lines of the install's only step. */
  lines: string[]
  /** Task ids that were requested, in order. */
  requests: string[]
}

/** Agents that are connected exactly while their instance of `harness` runs, and install at once. */
export function simulateAgents(harness: MemoryHarness): SimulatedAgents {
  const tasks = new Map<string, string>()
  const asked = new Map<string, AgentTask>()
  const refused = new Set<string>()
  const agents: SimulatedAgents = {
    failure: null,
    silent: false,
    activated: false,
    drains: true,
    workloads: null,
    lines: [],
    requests: [],
    issueEnrollToken: async (_trx, { instanceId }) => `token-of-${instanceId}`,
    async requestInstall(_trx, { instanceId, taskId }) {
      tasks.set(instanceId, taskId)
      agents.requests.push(taskId)
    },
    async requestTask(_trx, { kind }, { instanceId, taskId }) {
      asked.set(taskId, doneTask({ id: taskId, instanceId, kind }))
      return taskId
    },
    async listTasks(_db, taskIds) {
      return agents.drains ? taskIds.flatMap((id) => asked.get(id) ?? []) : []
    },
    async refreshConfig() {},
    async listAgents(_db, instanceIds) {
      return instanceIds.flatMap((instanceId) => {
        const instance = harness.get(instanceId)
        if (!instance) return []
        const taskId = tasks.get(instanceId) ?? null
        const connected = instance.state === 'running' && !agents.silent && !refused.has(instanceId)
        const state = agents.failure === null ? 'done' : 'failed'
        const steps: InstallLog = [
          { step: 'prepare', state: 'done', startedAt: null, endedAt: null, lines: agents.lines },
        ]
        const install: InstallState = connected
          ? { state, taskId, reason: agents.failure, steps }
          : { state: 'waiting', taskId: null, reason: null, steps: [] }
        const waiting = connected && agents.failure === null && !agents.activated
        return [
          {
            instanceId,
            connected,
            lastSeenAt: new Date(),
            bootId: connected ? `boot-${instance.boots}` : null,
            port: 40_000,
            install,
            osActive: agents.activated,
            oneTimePassword: waiting ? 'ONE-TIME' : null,
            machine: null,
            network: null,
            workloads: agents.workloads,
            backups: null,
            copies: null,
            version: null,
            program: null,
          },
        ]
      })
    },
    async refuseAgents(_trx, instanceIds) {
      for (const instanceId of instanceIds) refused.add(instanceId)
    },
    async admitAgents(_trx, instanceIds) {
      for (const instanceId of instanceIds) refused.delete(instanceId)
    },
    chooseMachine: async () => false,
    setWipe: async () => undefined,
    async forgetAgents(_trx, instanceIds) {
      for (const instanceId of instanceIds) tasks.delete(instanceId)
    },
  }
  return agents
}

/** A task as its agent reports it once it is done. */
export function doneTask(task: Pick<AgentTask, 'id' | 'instanceId' | 'kind'>): AgentTask {
  return { ...task, params: {}, state: 'done', isCancelAsked: false, progress: null, result: {}, reason: null }
}
