import { userInfo } from '@atoll/contract/accounts'
import { instanceDetails, resourceList } from '@atoll/contract/clusters'
import { type ApiClient, listInstanceFolders, listInstances, type ServerProcess, until } from '@atoll/testkit'
import { expect } from 'vitest'

interface Expected {
  /** The instances that must exist; with a process when `running`, with files in any case. */
  instances: { instanceId: string; running: boolean }[]
}

/**
 * Conditions that must hold once an operation has ended, whichever process was killed in its course: still signed in,
 * no operation under way, one process and one folder per instance that runs, a folder alone for one that is stopped,
 * nothing else. An instance that died with the machine is booted again first, and an orphan is the sweeper's work: both
 * take a moment.
 */
export async function expectSound(server: ServerProcess, api: ApiClient, { instances }: Expected): Promise<void> {
  expect((await api.send(userInfo, {})).code).toBe(200)
  const wanted = {
    processes: instances
      .filter((instance) => instance.running)
      .map((instance) => instance.instanceId)
      .sort(),
    folders: instances.map((instance) => instance.instanceId).sort(),
    unended: [],
  }
  let seen: unknown
  await until(
    'exactly the named instances exist and every operation has ended',
    async () => {
      seen = {
        processes: listInstances(server.dataDir)
          .map((instance) => instance.instanceId)
          .sort(),
        folders: listInstanceFolders(server.dataDir).sort(),
        unended: await listUnendedOperations(api),
      }
      return JSON.stringify(seen) === JSON.stringify(wanted)
    },
    { onTimeout: () => `found ${JSON.stringify(seen)}, wanted ${JSON.stringify(wanted)}` },
  )
}

async function listUnendedOperations(api: ApiClient): Promise<string[]> {
  const clusters = await api.ask(resourceList, {})
  const details = await Promise.all(clusters.map(({ clusterId }) => api.ask(instanceDetails, { clusterId })))
  return details
    .flatMap((detail) => detail.operations)
    .filter((operation) => operation.state === 'running' || operation.endedAt === null)
    .map((operation) => `${operation.kind} ${operation.operationId}`)
}
