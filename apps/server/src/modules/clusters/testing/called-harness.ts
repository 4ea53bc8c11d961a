/** A harness whose calls are made over HTTP, by any account that signs in. */

import { createCluster } from '@atoll/contract/clusters'
import { type ApiClient, createApiClient } from '@atoll/testkit'
import { mountCalls } from '../../../http/calls.ts'
import { acceptBodies } from '../../../http/request/body.ts'
import { createHttpServer } from '../../../http/server.ts'
import { silentLog } from '../../../platform/log.ts'
import { refuse } from '../../../platform/refusal.ts'
import { findAccountOfDid, getDid } from '../../accounts/index.ts'
import { createMemoryProvider, type MemoryHarness } from '../../compute/testing/memory-provider.ts'
import { createClusterHarness, testOrder } from './cluster-harness.ts'
import { simulateAgents } from './simulated-agents.ts'

export type CalledHarness = Awaited<ReturnType<typeof openCalledHarness>>

/** A harness of its own, on memory, behind a server of its own. */
export async function openCalledHarness() {
  const instances: MemoryHarness = new Map()
  const agents = simulateAgents(instances)
  const harness = await createClusterHarness({ provider: createMemoryProvider(instances), agents })
  const app = await createHttpServer({
    config: { publicUrl: 'http://localhost', trustProxy: 0, rateFactor: 1000, signInRatePerMinute: 1_000_000 },
    log: silentLog,
    metrics: { observe: () => undefined },
  })
  acceptBodies(app)
  const expiresAt = new Date(Date.now() + 60_000)
  mountCalls(app, [...harness.clusters.routes, ...harness.billing.routes], async (did, token) =>
    token === 'good'
      ? { userid: await getAccount(did), did, sessionId: 'ss_test', role: 'User', expiresAt }
      : refuse('signedOut'),
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })

  async function getAccount(did: string): Promise<string> {
    return (await findAccountOfDid(harness.db, did)) ?? refuse('signedOut')
  }

  /** `userid`: the id of the account. */
  async function signIn(name?: string): Promise<ApiClient & { userid: string; did: string }> {
    const userid = await harness.newOwner(name)
    const did = await getDid(harness.db, userid)
    return { ...createApiClient(origin, { userid: did, token: 'good' }), userid, did }
  }

  /** Agents report into rows when they change; here the test does it. */
  async function reportAgents(clusterId: string): Promise<void> {
    const { master } = await harness.rows(clusterId)
    await harness.db.transaction().execute((trx) => harness.onAgentChange(trx, { clusterId, instanceId: master.id }))
  }

  async function runningCluster(api: ApiClient): Promise<string> {
    const { clusterId } = await api.ask(createCluster, testOrder)
    await harness.settle(clusterId)
    await reportAgents(clusterId)
    return clusterId
  }

  return {
    harness,
    agents,
    origin,
    signIn,
    reportAgents,
    runningCluster,
    async [Symbol.asyncDispose]() {
      await app.close()
      await harness[Symbol.asyncDispose]()
    },
  }
}
