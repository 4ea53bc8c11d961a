import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { InstallState } from '@atoll/contract'
import type { ClusterAgents } from '../cluster-deps.ts'

/**
 * Agents that live in the data folder, so that every process of a test sees the same ones: an agent is connected while
 * the process of its run.json is alive, and its install is done when it was wished for.
 */
export function folderAgents(dataDir: string): ClusterAgents {
  const wishes = join(dataDir, 'wishes')
  mkdirSync(wishes, { recursive: true })
  const read = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined)
  return {
    issueEnrollToken: async (_trx, { instanceId }) => `enrol-token-of-${instanceId}`,
    async requestInstall(_trx, { instanceId, taskId }) {
      writeFileSync(join(wishes, instanceId), taskId)
    },
    async requestDrain(_trx, { instanceId, taskId }) {
      writeFileSync(join(wishes, `${instanceId}.drain`), taskId)
    },
    // Nobody here hands a password over.
    async requestRotation() {},
    async listAgents(_db, instanceIds) {
      return instanceIds.flatMap((instanceId) => {
        const text = read(join(dataDir, 'instances', instanceId, 'run.json'))
        if (!text) return []
        const run = JSON.parse(text) as { pid: number; port: number; bootId: string }
        const connected = existsSync(`/proc/${run.pid}`)
        const taskId = read(join(wishes, instanceId)) ?? null
        const drainedTask = read(join(wishes, `${instanceId}.drain`)) ?? null
        const install: InstallState = { state: taskId ? 'done' : 'waiting', taskId, reason: null, steps: [] }
        return [
          {
            instanceId,
            connected,
            lastSeenAt: null,
            ...run,
            install,
            osActive: false,
            oneTimePassword: 'ONE-TIME',
            drainedTask,
            machine: null,
            network: null,
          },
        ]
      })
    },
    async forgetAgents(_trx, instanceIds) {
      for (const instanceId of instanceIds) rmSync(join(wishes, instanceId), { force: true })
    },
    latestMetrics: async () => new Map(),
    listMetrics: async () => ({ cpu: [], memory: [], disk: [], netIn: [], netOut: [], lastUpdatedAt: null }),
  }
}
