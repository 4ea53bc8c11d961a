import { createCluster, resourceList } from '@atoll/contract/clusters'
import { type ApiClient, listInstances, openChangeStream, type ServerProcess, until } from '@atoll/testkit'
import { composeOrder } from '../billing/order.ts'
import { median, p99 } from '../figures.ts'
import { signUp } from '../sign-up.ts'

const clusters = 12
/** Each instance is ended once a round; ended more often in a row, it would be left alone. */
const rounds = 2

/**
 * The time from an instance's unexpected end to the notice in a browser, as text: SIGKILL of its process at the
 * provider, to the event on the stream that the console holds open.
 */
export async function measureEventDelay(server: ServerProcess): Promise<string> {
  const { api, session } = await signUp(server.url, 'events')
  for (let n = 0; n < clusters; n += 1) await api.ask(createCluster, await composeOrder(api))
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    await untilAllRun(api, server)
    for (const cluster of await api.ask(resourceList, {})) {
      // Of its own, so that what others still do is not taken for it.
      await using stream = await openChangeStream(server.url, session)
      const instance = await until('the instance runs', () =>
        listInstances(server.dataDir).find(({ instanceId }) => instanceId === cluster.instanceId),
      )
      const begun = performance.now()
      process.kill(instance.pid, 'SIGKILL')
      await until('the event', () => stream.events.some((event) => event.id === cluster.clusterId), { intervalMs: 1 })
      delays.push(performance.now() - begun)
    }
  }
  return `event delay from the end of an instance to the browser: p50 ${median(delays).toFixed(0)} ms, p99 ${p99(delays).toFixed(0)} ms (${delays.length} ends of ${clusters} instances)`
}

async function untilAllRun(api: ApiClient, server: ServerProcess): Promise<void> {
  await until(
    'all clusters run',
    async () => {
      const list = await api.ask(resourceList, {})
      const alive = new Set(listInstances(server.dataDir).map(({ instanceId }) => instanceId))
      return list.every((cluster) => cluster.status === 'inactivated' && alive.has(cluster.instanceId))
    },
    { timeoutMs: 180_000 },
  )
}
