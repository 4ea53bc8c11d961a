/**
 * 10 000 clusters on a simulated provider: how fast they are made and reconciled, what that takes, and how fast a
 * list is.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { resourceList } from '@atoll/contract/clusters'
import { type ApiClient, startPostgresServer, startServer, until } from '@atoll/testkit'
import autocannon from 'autocannon'
import { Client } from 'pg'
import { median } from '../figures.ts'
import { signUp } from '../sign-up.ts'
import type { FleetReport } from './fleet-worker.ts'

const fleet = 10_000
/** Each owner's; the one who asks for lists is one of them. */
const clustersOfOne = 50
const secondsOfLists = 5
const connections = 20

/** The figures, a line each. */
export async function measureFleet(): Promise<string[]> {
  const postgres = await startPostgresServer()
  const client = new Client({ connectionString: postgres.url('postgres') })
  await client.connect()
  await client.query('create database fleet')
  await client.end()
  try {
    return await measureOn(postgres.url('fleet'))
  } finally {
    await postgres.stop()
  }
}

async function measureOn(databaseUrl: string): Promise<string[]> {
  const env = { DATABASE_URL: databaseUrl, ATOLL_SECRET_KEY: 'bench-key-of-more-than-32-characters' }
  await using server = await startServer({ env, roles: ['api'] })
  const { api, session } = await signUp(server.url, 'fleet')
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await orderFleet(client, session.userid)
    const worker = startFleetWorker(databaseUrl)
    try {
      const made = await clock(worker, () => countRunning(client))
      await client.query(`select graphile_worker.add_job('cluster.reconcile', json_build_object('id', id),
        job_key => 'cluster.reconcile:' || id) from clusters`)
      const rested = await clock(worker, () => countIdle(client))
      const lists = await measureLists(server.url, session)
      await client.query(`update accounts set role = 'Admin' where did = $1`, [session.userid])
      const everything = await measureWhole(api)
      const rate = ({ seconds, reconciles }: Clocked) => `${(reconciles / seconds).toFixed(0)} reconciles a second`
      return [
        `${fleet} clusters from order to running: ${(fleet / made.seconds).toFixed(0)} a second, ${rate(made)}`,
        `${fleet} clusters at rest reconciled: ${rate(rested)}`,
        `memory of the worker meanwhile, simulated machines included: at most ${Math.max(made.peakMiB, rested.peakMiB).toFixed(0)} MiB`,
        `list of ${clustersOfOne} among ${fleet}: p99 ${lists.p99} ms, p50 ${lists.p50} ms, ${lists.throughput.toFixed(0)} a second over ${connections} connections`,
        `list of all ${fleet} for an Admin: ${everything.ms.toFixed(0)} ms, ${everything.mib.toFixed(1)} MiB`,
      ]
    } finally {
      worker.process.kill('SIGKILL')
    }
  } finally {
    await client.end()
  }
}

/** Rows as an order makes them, and the jobs. */
async function orderFleet(client: Client, first: string): Promise<void> {
  const owner = `case when n % ${fleet / clustersOfOne} = 0 then (select account_id from accounts where did = '${first}')
    else 'ac_fleet' || n % ${fleet / clustersOfOne} end`
  const now = 'now()'
  await client.query(`insert into accounts (account_id, did, can_create_cluster, vcpu_quota, created_at)
    select 'ac_fleet' || n, 'did:key:z6Mk' || lpad(n::text, 44, 'a'), true, 1000, now() from generate_series(1, ${fleet / clustersOfOne - 1}) n`)
  await client.query(`insert into clusters (id, owner, name, cluster_type, cloud_name, region_id, offering, version,
      host_label, status, desired, created_at, changed_at, checked_at)
    select 'cl_fleet' || lpad(n::text, 15, '0'), ${owner}, 'Fleet ' || n, 'Cloud', 'local', 'here', 'small', '1.0.0',
      'fleet' || n, 'fetching', 'running', ${now}, ${now}, ${now} from generate_series(1, ${fleet}) n`)
  await client.query(`insert into instances (id, cluster_id, owner, role, status, offering, cpu_core_count, memory_mib,
      disk_mib, install_task, created_at, changed_at)
    select replace(id, 'cl_', 'in_'), id, owner, 'master', 'fetching', offering, 2, 512, 1024, replace(id, 'cl_', 'op_'),
      created_at, created_at from clusters`)
  await client.query(`insert into operations (id, subject_kind, subject_id, cluster_id, owner, kind, state, asked_by, started_at,
      deadline_at)
    select replace(id, 'cl_', 'op_'), 'cluster', id, id, owner, 'create', 'running', owner, created_at, created_at + interval '1 hour'
    from clusters`)
  await client.query(`select graphile_worker.add_job('cluster.reconcile', json_build_object('id', id),
    job_key => 'cluster.reconcile:' || id) from clusters`)
  await client.query('analyze')
}

interface FleetWorker {
  process: ChildProcess
  newest(): FleetReport
}

function startFleetWorker(databaseUrl: string): FleetWorker {
  const program = fileURLToPath(new URL('fleet-worker.ts', import.meta.url))
  const child = spawn(process.execPath, [program, databaseUrl], { stdio: ['ignore', 'pipe', 'inherit'] })
  let newest: FleetReport = { reconciles: 0, rssMiB: 0 }
  createInterface({ input: child.stdout }).on('line', (line) => {
    newest = JSON.parse(line)
  })
  return { process: child, newest: () => newest }
}

interface Clocked {
  seconds: number
  reconciles: number
  peakMiB: number
}

/** Until `isDone`; from the moment the worker finishes its first run. */
async function clock(worker: FleetWorker, remaining: () => Promise<number>): Promise<Clocked> {
  const before = worker.newest().reconciles
  await until('the worker begins', () => worker.newest().reconciles > before, { timeoutMs: 30_000 })
  const [startedAt, from] = [performance.now(), worker.newest().reconciles]
  let peakMiB = 0
  await until(
    'the fleet is done',
    async () => {
      peakMiB = Math.max(peakMiB, worker.newest().rssMiB)
      return (await remaining()) === 0
    },
    { timeoutMs: 600_000 },
  )
  const seconds = (performance.now() - startedAt) / 1000
  return { seconds, reconciles: worker.newest().reconciles - from, peakMiB }
}

async function countRunning(client: Client): Promise<number> {
  const { rows } = await client.query(`select count(*)::int as left from clusters where status <> 'running'`)
  return rows[0].left
}

async function countIdle(client: Client): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as left from graphile_worker._private_jobs where run_at <= now()`,
  )
  return rows[0].left
}

async function measureLists(url: string, { userid, token }: { userid: string; token: string }) {
  const result = await autocannon({
    url: url + resourceList.path,
    method: 'POST',
    headers: { 'content-type': 'application/json', userid, token },
    body: '{}',
    connections,
    duration: secondsOfLists,
  })
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} refused`)
  return { p99: result.latency.p99, p50: result.latency.p50, throughput: result.requests.average }
}

async function measureWhole(api: ApiClient): Promise<{ ms: number; mib: number }> {
  const runs: number[] = []
  let bytes = 0
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now()
    const answer = await api.send(resourceList, {})
    runs.push(performance.now() - startedAt)
    bytes = JSON.stringify(answer).length
  }
  return { ms: median(runs), mib: bytes / 1024 ** 2 }
}
