import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallState } from '@atoll/contract/agents'
import { readInstance } from '../../compute/testing/folder-provider.ts'
import type { ClusterAgents } from '../cluster-deps.ts'
import { doneTask } from './simulated-agents.ts'

/**
 * Agents of the instances in a folder, so that every process of a test sees the same ones: an agent is connected while
 * its instance runs, its install is done when it was desired, and a task when it was asked for.
 */
export function folderAgents(folder: string): ClusterAgents {
  const requests = join(folder, 'requests')
  mkdirSync(requests, { recursive: true })
  const read = (name: string): string | null => {
    const path = join(requests, name)
    return existsSync(path) ? readFileSync(path, 'utf8') : null
  }
  return {
    issueEnrollToken: async (_trx, { instanceId }) => `enrol-token-of-${instanceId}`,
    async requestInstall(_trx, { instanceId, taskId }) {
      writeFileSync(join(requests, instanceId), taskId)
    },
    async requestTask(_trx, { kind }, { instanceId, taskId }) {
      writeFileSync(join(requests, taskId), JSON.stringify({ kind, instanceId }))
      return taskId
    },
    async listTasks(_db, taskIds) {
      return taskIds.flatMap((id) => {
        const asked = read(id)
        return asked === null ? [] : [doneTask({ id, ...JSON.parse(asked) })]
      })
    },
    refreshConfig: async () => undefined,
    async listAgents(_db, instanceIds) {
      return instanceIds.flatMap((instanceId) => {
        const instance = readInstance(folder, instanceId)
        if (!instance) return []
        const taskId = read(instanceId)
        const install: InstallState = { state: taskId === null ? 'waiting' : 'done', taskId, reason: null, steps: [] }
        return [
          {
            instanceId,
            connected: instance.state === 'running',
            lastSeenAt: null,
            bootId: `agent-${instance.boots}`,
            port: 40_000,
            install,
            osActive: false,
            oneTimePassword: 'ONE-TIME',
            machine: null,
            network: null,
            workloads: null,
            copies: null,
            version: null,
            program: null,
            backups: null,
          },
        ]
      })
    },
    // Whether it is refused is between the agent and the server.
    refuseAgents: async () => undefined,
    admitAgents: async () => undefined,
    chooseMachine: async () => false,
    setWipe: async () => undefined,
    async forgetAgents(_trx, instanceIds) {
      for (const instanceId of instanceIds) rmSync(join(requests, instanceId), { force: true })
    },
  }
}
