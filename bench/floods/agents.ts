/**
 * The wait of other users for their list, and the size of the log, while self-hosted machines send unrequested
 * messages.
 */
import { createCluster, resourceList } from '@atoll/contract/clusters'
import { type ApiClient, startServer } from '@atoll/testkit'
import { median, type Ratio } from '../figures.ts'
import { signUp } from '../sign-up.ts'
import type { AgentFloodSetup } from './agents-flood.ts'
import { compareUnderFlood, startFlood } from './under-flood.ts'

const machines = 4
const lists = 300

export async function measureAgentFlood(): Promise<(Ratio | string)[]> {
  await using server = await startServer({ env: { ATOLL_LOG_LEVEL: 'warn', ATOLL_RATE_FACTOR: '10' } })
  const owner = await signUp(server.url, 'machines')
  const enrollTokens: string[] = []
  for (let n = 0; n < machines; n += 1) enrollTokens.push(await orderMachine(owner.api))
  const { api } = await signUp(server.url, 'stranger')
  const measure = async () => {
    const taken: number[] = []
    for (let n = 0; n < lists; n += 1) {
      const begun = performance.now()
      await api.ask(resourceList, {})
      taken.push(performance.now() - begun)
    }
    return { list: median(taken) }
  }
  const setup: AgentFloodSetup = { origin: server.url, enrollTokens }
  using flood = await startFlood('agents-flood.ts', setup)
  const before = server.log.length
  const ratios = await compareUnderFlood(flood, measure, () => "a stranger's list under a flood of agents' messages")
  const logged = server.log.slice(before).reduce((sum, line) => sum + line.length + 1, 0)
  return [...ratios, `log of the floods of agents' messages: ${(logged / 1000).toFixed(1)} kB`]
}

async function orderMachine(api: ApiClient): Promise<string> {
  const ordered = await api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'frp' })
  if (!('enrollToken' in ordered) || ordered.enrollToken === undefined)
    throw new Error('an order of a machine of its own has no token')
  return ordered.enrollToken
}
