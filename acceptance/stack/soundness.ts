import { instanceDetails, resourceList, userInfo } from '@atoll/contract'
import { type ApiClient, listInstanceFolders, listInstances, type ServerProcess, until } from '@atoll/testkit'
import { expect } from 'vitest'

interface Expected {
  /** Ids of the instances that are to exist; with a process when `running`, with files in any case. */
  instances: { instanceId: string; running: boolean }[]
}

/**
 * What must hold once an operation has ended, whatever was killed in its course: still signed in, no operation under
 * way, one process and one folder per instance that runs, a folder alone for one that is stopped, and nothing else.
 */
export async function expectSound(server: ServerProcess, api: ApiClient, { instances }: Expected): Promise<void> {
  expect((await api.send(userInfo, {})).code).toBe(200)
  for (const { clusterId } of await api.ask(resourceList, {})) {
    const { operations } = await api.ask(instanceDetails, { clusterId })
    expect(operations.filter((operation) => operation.state === 'running' || operation.endedAt === null)).toEqual([])
  }
  const wanted = {
    processes: instances
      .filter((instance) => instance.running)
      .map((instance) => instance.instanceId)
      .sort(),
    folders: instances.map((instance) => instance.instanceId).sort(),
  }
  const look = () => ({
    processes: listInstances(server.dataDir)
      .map((instance) => instance.instanceId)
      .sort(),
    folders: listInstanceFolders(server.dataDir).sort(),
  })
  // An orphan is the sweeper's work, so it may still be there for a moment; a second process never goes by itself.
  await until('exactly the named instances exist', () => JSON.stringify(look()) === JSON.stringify(wanted), {
    timeoutMs: 15_000,
    onTimeout: () => `found ${JSON.stringify(look())}, wanted ${JSON.stringify(wanted)}`,
  })
}
