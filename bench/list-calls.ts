import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createCluster, resourceList } from '@atoll/contract/clusters'
import { startPostgresServer, startServer, until } from '@atoll/testkit'
import autocannon from 'autocannon'
import { Client } from 'pg'
import { findAccountOfDid } from '../apps/server/src/modules/accounts/index.ts'
import { sessionByToken } from '../apps/server/src/modules/accounts/stores/session-store.ts'
import { clustersQuery } from '../apps/server/src/modules/clusters/views/cluster-views.ts'
import { sha256Hex } from '../apps/server/src/platform/crypto.ts'
import { createDatabase } from '../apps/server/src/platform/db/index.ts'
import { composeOrder } from './billing/order.ts'
import { median, type Ratio } from './figures.ts'
import { signUp } from './sign-up.ts'

/** Clusters of the account: what people have, and what a busy account may have. */
const sizes = [3, 50]
const rounds = 7
const connections = 20
const secondsPerRound = 2

interface Run {
  /** Answers a second. */
  throughput: number
  /** ms */
  p99: number
}

/**
 * Throughput and p99 of the list call against the same SQL, the session's included, behind a bare Fastify route, on
 * the same database.
 */
export async function measureListCalls(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  try {
    await query(postgres.url('postgres'), 'create database bench')
    return await measureOn(postgres.url('bench'))
  } finally {
    await postgres.stop()
  }
}

async function measureOn(databaseUrl: string): Promise<Ratio[]> {
  const env = { DATABASE_URL: databaseUrl, ATOLL_SECRET_KEY: 'bench-key-of-more-than-32-characters' }
  await using all = await startServer({ env })
  const { api, session } = await signUp(all.url, 'list')
  const { clusterId } = await api.ask(createCluster, await composeOrder(api))
  await until('the cluster runs', async () => (await api.ask(resourceList, {}))[0]?.status === 'inactivated')
  await all.kill('SIGTERM')
  // From here on only requests are at work: no reconciler may act on the copies, which no instance runs.
  await using server = await startServer({ env, roles: ['api'] })
  const json = { 'content-type': 'application/json' }
  const { userid, token } = session

  const ratios: Ratio[] = []
  for (const size of sizes) {
    await copyCluster(databaseUrl, clusterId, size)
    await using bare = await startBareServer(databaseUrl, session)
    const ours: Run[] = []
    const plain: Run[] = []
    // The first run of each warms it up.
    for (let round = 0; round <= rounds; round += 1) {
      plain.push(await measureRun(`${bare.url}/list`, json))
      ours.push(await measureRun(server.url + resourceList.path, { ...json, userid, token }))
    }
    const what = `list call with ${size} clusters to the bare route with a session`
    ratios.push(...compare(what, ours.slice(1), plain.slice(1)))
  }
  return ratios
}

function compare(what: string, ours: Run[], bare: Run[]): Ratio[] {
  const ratio = (name: keyof Run, value: (ours: Run, bare: Run) => number, unit: string): Ratio => {
    const pairs = ours.flatMap((run, round) => (bare[round] ? [value(run, bare[round])] : []))
    const mid = (runs: Run[]) => median(runs.map((run) => run[name])).toFixed(0)
    return {
      name: `${name} of the ${what}`,
      value: median(pairs),
      target: { atLeast: 0.6 },
      from: `median of ${pairs.map((pair) => pair.toFixed(2)).join(' ')}; medians ${mid(ours)} against ${mid(bare)} ${unit}, ${connections} connections`,
    }
  }
  return [
    ratio('throughput', (run, other) => run.throughput / other.throughput, 'answers a second'),
    ratio('p99', (run, other) => other.p99 / run.p99, 'ms'),
  ]
}

async function measureRun(url: string, headers: Record<string, string>): Promise<Run> {
  const result = await autocannon({ url, method: 'POST', headers, body: '{}', connections, duration: secondsPerRound })
  if (result.errors > 0 || result.non2xx > 0)
    throw new Error(`${url}: ${result.errors} errors, ${result.non2xx} refused`)
  return { throughput: result.requests.average, p99: result.latency.p99 }
}

/** Fills the account up to `size` clusters with copies of a real one. */
async function copyCluster(databaseUrl: string, clusterId: string, size: number): Promise<void> {
  const id = (column: string, prefix: string) => `'${prefix}_bench' || lpad((number)::text, 15, '0') as ${column}`
  await query(databaseUrl, `delete from instances where id like 'in_bench%'`)
  await query(databaseUrl, `delete from clusters where id like 'cl_bench%'`)
  await query(
    databaseUrl,
    `insert into clusters select (jsonb_populate_record(c, to_jsonb(copy))).*
       from clusters c, lateral (select ${id('id', 'cl')}, 'Copy ' || number as name, 'copy' || number as host_label
         from generate_series(2, ${size}) as number) as copy
      where c.id = '${clusterId}'`,
  )
  await query(
    databaseUrl,
    `insert into instances select (jsonb_populate_record(i, to_jsonb(copy))).*
       from instances i, lateral (select ${id('id', 'in')}, ${id('cluster_id', 'cl')}
         from generate_series(2, ${size}) as number) as copy
      where i.cluster_id = '${clusterId}'`,
  )
  await query(databaseUrl, 'analyze')
}

async function query(databaseUrl: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

async function startBareServer(
  databaseUrl: string,
  { userid: did, token }: { userid: string; token: string },
): Promise<AsyncDisposable & { url: string }> {
  const { db, close } = createDatabase({ connectionString: databaseUrl })
  const userid = (await findAccountOfDid(db, did)) ?? ''
  const [list, session] = [clustersQuery(db, userid), sessionByToken(db, sha256Hex(token))].map((query) => {
    const { sql: text, parameters: values } = query.compile()
    return { text, values }
  })
  await close()
  const program = fileURLToPath(new URL('bare-list-server.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify({ session, list })], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return {
    url,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
