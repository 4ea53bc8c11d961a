/**
 * The cost of money in calls: an order that the balance pays against a free one, and an estimate against the plainest
 * call about money.
 */
import { customerInfo, getEstimatedAmount } from '@atoll/contract/billing'
import { type CloudOrder, createCluster, resourceInitNew } from '@atoll/contract/clusters'
import { type ApiClient, startPostgresServer, startServer } from '@atoll/testkit'
import autocannon from 'autocannon'
import { Client } from 'pg'
import { median, type Ratio } from '../figures.ts'
import { signUp } from '../sign-up.ts'

const orders = 25
const rounds = 7
const secondsPerRound = 2
const connections = 8

/** Of an api alone: nothing is made of what is ordered, and no job runs beside. */
export async function measureBillCalls(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  const client = new Client({ connectionString: postgres.url('postgres') })
  try {
    await client.connect()
    await client.query('create database bench')
    await using server = await startServer({ env: envOf(postgres.url('bench')), roles: ['api'] })
    const { api, session } = await signUp(server.url, 'buyer')
    await credit(postgres.url('bench'), session.userid)
    return [await measureOrders(api), await measureEstimates(server.url, session)]
  } finally {
    await client.end()
    await postgres.stop()
  }
}

/** Of a server on a database of the bench's, whose accounts may order many clusters. */
export function envOf(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ATOLL_SECRET_KEY: 'bench-key-of-more-than-32-characters',
    ATOLL_VCPU_QUOTA: '1000',
    ATOLL_LOG_LEVEL: 'warn',
  }
}

/** Puts enough on the balance for all that is ordered. */
export async function credit(connectionString: string, did: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(
    `select ledger_post(account_id, 'usd', now(), 'adjust', 'credit', 'credit', array['cash', 'adjust'],
      array[-10000000, 10000000]) from accounts where did = $1`,
    [did],
  )
  await client.end()
}

async function measureOrders(api: ApiClient): Promise<Ratio> {
  const took = { free: [] as number[], paid: [] as number[] }
  // The first of each warms it up.
  for (let round = -1; round < orders; round += 1) {
    for (const kind of ['free', 'paid'] as const) {
      const order = await composeOrder(api, kind === 'free' ? 'local' : 'bay')
      const begun = performance.now()
      const { status } = await api.ask(createCluster, order)
      if (status !== 'fetching') throw new Error(`an order that is ${kind} is ${status}`)
      if (round >= 0) took[kind].push(performance.now() - begun)
    }
  }
  const [free, paid] = [median(took.free), median(took.paid)]
  return {
    name: 'order paid from the balance ÷ free order, to the answer',
    value: paid / free,
    target: { atMost: 2 },
    from: `${paid.toFixed(1)} ms, ${free.toFixed(1)} ms, medians of ${orders} in turn`,
  }
}

/** For the smallest of a cloud, at the figure that is shown where it costs. */
export async function composeOrder(
  api: ApiClient,
  cloudName: string,
): Promise<CloudOrder & { estimateToken?: string }> {
  const { instanceInfo } = await api.ask(resourceInitNew, {})
  const offered = instanceInfo.data.find((one) => one.cloudName === cloudName)
  const [version] = instanceInfo.versions
  if (!offered || !version) throw new Error(`${cloudName} sells nothing`)
  const { regionId, name } = offered
  const order = { clusterType: 'Cloud' as const, cloudName, regionId, offering: name, version: version.version }
  if (cloudName === 'local') return order
  const { estimateToken } = await api.ask(getEstimatedAmount, { kind: 'cluster', offering: name })
  return { ...order, estimateToken }
}

async function measureEstimates(origin: string, { userid, token }: { userid: string; token: string }): Promise<Ratio> {
  const headers = { 'content-type': 'application/json', userid, token }
  const perSecond = async (path: string, body: object) => {
    const run = { url: origin + path, method: 'POST' as const, headers, body: JSON.stringify(body) }
    const result = await autocannon({ ...run, connections, duration: secondsPerRound })
    if (result.errors > 0 || result.non2xx > 0)
      throw new Error(`${path}: ${result.errors} errors, ${result.non2xx} refused`)
    return result.requests.average
  }
  const [estimates, plain] = [[] as number[], [] as number[]]
  for (let round = -1; round < rounds; round += 1) {
    const rates = [
      await perSecond(customerInfo.path, {}),
      await perSecond(getEstimatedAmount.path, { kind: 'cluster', offering: 'bay-2' }),
    ] as const
    if (round < 0) continue
    plain.push(rates[0])
    estimates.push(rates[1])
  }
  return {
    name: 'estimates a second ÷ customerInfo a second',
    value: median(estimates) / median(plain),
    target: { atLeast: 0.5 },
    from: `${median(estimates).toFixed(0)} against ${median(plain).toFixed(0)}, medians of ${rounds} rounds in turn, ${connections} connections`,
  }
}
