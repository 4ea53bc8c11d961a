import { createCluster, destroyMaster, InstallLog, type Resource, resourceList } from '@atoll/contract/clusters'
import { type ApiClient, type ChangeStream, openChangeStream, type ServerProcess, until } from '@atoll/testkit'
import { prepareAgentAlone } from './agent-alone.ts'
import { composeOrder } from './billing/order.ts'
import { median, type Ratio } from './figures.ts'
import type { Reference } from './reference.ts'
import { signUp } from './sign-up.ts'

export interface CreateBench {
  name: string
  target: Ratio['target']
  rounds: number
  prepareReference(version: string, steps: string[]): Promise<Reference>
}

export const processBench: CreateBench = {
  name: 'create to running, times the agent alone',
  target: { atMost: 1.3 },
  rounds: 15,
  prepareReference: prepareAgentAlone,
}

/** From the order to a running cluster, as its owner sees it, against the reference. */
export async function measureCreateToRunning(
  server: ServerProcess,
  { name, target, rounds, prepareReference }: CreateBench,
): Promise<Ratio> {
  const { api, session } = await signUp(server.url, 'create')
  await using changes = await openChangeStream(server.url, session)
  // The first round of each warms caches and shows which steps an install has.
  const first = await createAndDestroy(api, changes)
  const steps = InstallLog.parse(JSON.parse(first.cluster.installLog)).map((step) => step.step)
  await using reference = await prepareReference(first.cluster.version ?? '', steps)
  await reference.measure()

  const through: number[] = []
  const bare: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const ours = (await createAndDestroy(api, changes)).ms
    const theirs = await reference.measure()
    through.push(ours)
    bare.push(theirs)
    ratios.push(ours / theirs)
  }
  return {
    name,
    value: median(ratios),
    target,
    from: `median of ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}; medians ${median(through).toFixed(0)} against ${median(bare).toFixed(0)} ms`,
  }
}

/** Orders a cluster, waits until it runs and destroys it; how long it took to run, as its owner sees it. */
export async function createAndDestroy(
  api: ApiClient,
  changes: ChangeStream,
): Promise<{ ms: number; cluster: Resource }> {
  const order = await composeOrder(api)
  const begun = performance.now()
  const { clusterId } = await api.ask(createCluster, order)
  const cluster = await whenListed(
    api,
    changes,
    (found) => found?.clusterId === clusterId && found.status === 'inactivated',
  )
  const ms = performance.now() - begun
  if (!cluster) throw new Error('a running cluster is not listed')
  await api.ask(destroyMaster, { clusterId, confirm: true })
  await whenListed(api, changes, (found) => found === undefined)
  return { ms, cluster }
}

/** Asks again on every live change, as the console does, until the only cluster of the account is as wanted. */
async function whenListed(
  api: ApiClient,
  changes: ChangeStream,
  isWanted: (cluster: Resource | undefined) => boolean,
): Promise<Resource | undefined> {
  let seen = 0
  for (;;) {
    const known = changes.events.length
    const [cluster] = await api.ask(resourceList, {})
    if (isWanted(cluster)) return cluster
    if (cluster?.status === 'errored') throw new Error(`the cluster errored: ${cluster.error}`)
    seen = known
    await until('the next change', () => changes.events.length > seen, { intervalMs: 1, timeoutMs: 60_000 })
  }
}
