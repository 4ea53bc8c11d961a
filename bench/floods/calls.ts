/** The wait of other users for an ID and for their list while one network sends all the changes that it can. */
import { resourceList } from '@atoll/contract/clusters'
import { createApiClient, createScriptedWallet, startServer } from '@atoll/testkit'
import { median, type Ratio } from '../figures.ts'
import type { CallFloodSetup } from './calls-flood.ts'
import { compareUnderFlood, startFlood } from './under-flood.ts'

/** Strangers of a round: each takes an ID and asks for lists. */
const strangers = 12
const listsEach = 10

export async function measureCallFlood(): Promise<Ratio[]> {
  // The rates as they are built in. Behind a proxy, so that the flood comes from a network of its own.
  await using server = await startServer({ env: { ATOLL_TRUST_PROXY: '1', ATOLL_LOG_LEVEL: 'error' } })
  let serial = 0
  const measure = async () => {
    const [names, lists]: [number[], number[]] = [[], []]
    for (let n = 0; n < strangers; n += 1) {
      const wallet = createScriptedWallet()
      await wallet.register(server.url)
      serial += 1
      const name = `stranger${serial}@atoll.test`
      names.push(
        await clock(async () => {
          const { code, message } = await wallet.bindName(server.url, name)
          if (code !== 0) throw new Error(`bind_name: ${message}`)
        }),
      )
      const api = createApiClient(server.url, await wallet.signIn(server.url))
      for (let m = 0; m < listsEach; m += 1) lists.push(await clock(() => api.ask(resourceList, {})))
    }
    return { ID: median(names), list: median(lists) }
  }
  const setup: CallFloodSetup = { origin: server.url, network: '203.0.113.7' }
  using flood = await startFlood('calls-flood.ts', setup)
  return await compareUnderFlood(flood, measure, (figure) => `a stranger's ${figure} under a flood of calls`)
}

async function clock(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
