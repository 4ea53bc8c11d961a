/**
 * A deployment whose database is brought back to an earlier state while the world went on: at the gateway, at PowerDNS,
 * in the vault and at the provider there is something that the database does not know.
 */
import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { getEstimatedAmount, timeTravel } from '@atoll/contract/billing'
import { createCluster } from '@atoll/contract/clusters'
import {
  chooseServerPorts,
  listInstances,
  patienceMs,
  type ServerProcess,
  startPowerDns,
  startServer,
  type TestPowerDns,
  until,
} from '@atoll/testkit'
import { Client } from 'pg'
import { composeOrder, waitForStatus } from './clusters.ts'
import { createPerson, type Person } from './people.ts'

/** How a database is copied and brought back. */
export interface Copies {
  /** A database without any table. */
  make(): Promise<string>
  /** As it is now; gives what makes another database of it, and its address. */
  dump(url: string): Promise<() => Promise<string>>
}

export interface RestoredHarness extends AsyncDisposable {
  settings: Record<string, string>
  dataDir: string
  server: ServerProcess
  /** The restored database. */
  sql: Client
  /** All that is outside, in words that tell any change. */
  look(): Promise<Harness>
  /** The invoices of the only customer: `number kind state`. */
  invoices(): Promise<string[]>
}

export interface Harness {
  captures: string[]
  zones: string[]
  files: string[]
  instances: string[]
}

const timeoutMs = 2 * patienceMs
const monthMs = 32 * 24 * 3600_000
const repository = 'vr_restoredrestoredres1'

export async function restoreHarness(copies: Copies): Promise<RestoredHarness> {
  await using making = new AsyncDisposableStack()
  const dataDir = mkdtempSync(join(tmpdir(), 'atoll-restored-'))
  making.defer(() => rmSync(dataDir, { recursive: true, force: true }))
  // Agents and PowerDNS are other users than we.
  chmodSync(dataDir, 0o755)
  const powerDns = making.use(await startPowerDns())
  making.defer(() => {
    for (const { pid } of listInstances(dataDir)) process.kill(pid, 'SIGKILL')
  })
  const settings = {
    ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
    ATOLL_ZONES: 'powerdns',
    ATOLL_POWERDNS_URL: powerDns.url,
    ATOLL_POWERDNS_KEY: powerDns.key,
    ATOLL_VCPU_QUOTA: '100',
  }
  const before = await copies.make()
  // Agents and the person know its address.
  const ports = await chooseServerPorts()
  const start = (url: string) => startServer({ dataDir, ports, env: { ...settings, DATABASE_URL: url }, timeoutMs })
  let server = await start(before)
  making.defer(() => server.dispose())
  let old = await connect(before)
  making.defer(() => old.end())
  const person = await createPerson(server.url)
  await addCard(old, person.session.userid)
  const first = await order(person)
  await keepFile(old, dataDir, { name: 'trashed', clusterId: first, trashedDaysAgo: 20 })
  await setZone(old, 'kept.example', '192.0.2.1')
  await until('the zone is published', async () => (await zonesOf(powerDns)).length === 1)

  await server.kill('SIGTERM')
  const { rows: claims } = await old.query<{ number: string }>(`select number from claims where place = 'vault'`)
  const counted = Number(claims[0]?.number ?? 0)
  // A copy of a database ends its connections.
  await old.end()
  const bringBack = await copies.dump(before)
  old = await connect(before)
  server = await start(before)

  // The world goes on: an owner takes back what was trash, files are stored, zones are changed and made, money moves.
  await old.query(`update vault_files set trashed_at = null, trashed_by = null`)
  await keepFile(old, dataDir, { name: 'newer', clusterId: first, trashedDaysAgo: null })
  await setZone(old, 'kept.example', '192.0.2.2')
  await setZone(old, 'newer.example', '192.0.2.3')
  await order(person)
  await person.api.ask(timeTravel, { to: new Date(Date.now() + monthMs).toISOString(), destroy: [] })
  const newest = async () =>
    (await old.query<{ n: number }>(`select count(*)::int as n from sandbox_payments where state = 'done'`)).rows[0]?.n
  await until('the month is paid', async () => Number(await newest()) >= 3)
  await until('zones are published', async () => (await zonesOf(powerDns)).join().includes('192.0.2.3'))
  const vaultSweeps = async () =>
    Number((await old.query<{ number: string }>(`select number from claims where place = 'vault'`)).rows[0]?.number)
  await until('the vault has counted on', async () => (await vaultSweeps()) > counted, { timeoutMs })
  await server.kill('SIGTERM')
  const { rows: offsets } = await old.query<{ ms: string }>(`select max(clock_offset_ms)::text as ms from accounts`)

  const after = await bringBack()
  const sql = await connect(after)
  making.defer(() => sql.end())
  // The sandbox is in the database, and yet outside: it is as the world left it. So is the time.
  await sql.query('truncate sandbox_cards, sandbox_payments, sandbox_refunds cascade')
  for (const table of ['sandbox_cards', 'sandbox_payments', 'sandbox_refunds']) {
    const { rows } = await old.query<{ row: object }>(`select to_jsonb(t) as row from ${table} t`)
    for (const { row } of rows)
      await sql.query(`insert into ${table} select * from jsonb_populate_record(null::${table}, $1)`, [
        JSON.stringify(row),
      ])
  }
  await sql.query(`update accounts set clock_offset_ms = $1 where clock_offset_ms is not null`, [offsets[0]?.ms])
  await sql.query(
    `update due_items d set wall_at = due_at - clock_offset_ms * interval '1 ms' from accounts a where a.account_id = d.userid`,
  )

  const look = async (): Promise<Harness> => ({
    captures: await textsOf(
      sql,
      `select payment_id || ' ' || state || ' ' || amount_minor from sandbox_payments order by 1`,
    ),
    zones: await zonesOf(powerDns),
    files: ['trashed', 'newer'].filter((name) => existsSync(fileOf(dataDir, name))),
    instances: listInstances(dataDir)
      .map(({ instanceId }) => instanceId)
      .toSorted(),
  })
  server = await start(after)
  const made = making.move()
  return {
    settings: { ...settings, DATABASE_URL: after },
    dataDir,
    server,
    sql,
    look,
    invoices: () =>
      textsOf(
        sql,
        `select number || ' ' || kind || ' ' || state from invoices where number is not null order by number`,
      ),
    [Symbol.asyncDispose]: () => made.disposeAsync(),
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

const textsOf = async (sql: Client, query: string) =>
  (await sql.query<{ text: string }>(`select * from (${query}) as t (text)`)).rows.map(({ text }) => text)

/** As the sandbox's page does, of a number that pays. */
async function addCard(sql: Client, userid: string): Promise<void> {
  await sql.query(`insert into sandbox_cards (id, customer, brand, last4, exp_month, exp_year, charging)
    values ('sb_card', 'sb_customer', 'visa', '4242', 12, 2040, 'pays')`)
  await sql.query(
    `insert into payment_methods (id, userid, gateway, customer_ref, card_ref, brand, last4, exp_month, exp_year, is_default, created_at)
    select 'pm_card', account_id, 'sandbox', 'sb_customer', 'sb_card', 'visa', '4242', 12, 2040, true, now()
    from accounts where did = $1`,
    [userid],
  )
}

/** The smallest that costs, paid by the card. */
async function order({ api }: Person): Promise<string> {
  const bay = { cloudName: 'bay', regionId: 'bay', offering: 'bay-2' }
  const { estimateToken } = await api.ask(getEstimatedAmount, { kind: 'cluster', offering: bay.offering })
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, { ...bay, estimateToken }))
  await waitForStatus(api, clusterId, ['inactivated'])
  return clusterId
}

const nameOf = (content: string) => createHash('sha256').update(content).digest('hex')
function fileOf(dataDir: string, content: string): string {
  const name = nameOf(content)
  return join(dataDir, 'vault', repository, 'data', name.slice(0, 2), name)
}

/** A file in the vault, with its row. */
async function keepFile(
  sql: Client,
  dataDir: string,
  { name: content, clusterId, trashedDaysAgo }: { name: string; clusterId: string; trashedDaysAgo: number | null },
): Promise<void> {
  const path = fileOf(dataDir, content)
  for (const folder of [dirname(path), join(dataDir, 'vault', 'uploads')]) mkdirSync(folder, { recursive: true })
  writeFileSync(path, content)
  // One that is young may be an upload under way.
  const written = new Date(Date.now() - 2 * 24 * 3600_000)
  utimesSync(path, written, written)
  await sql.query(
    `insert into vault_repos (id, owner, cluster_id, created_at)
    select $1, owner, id, now() from clusters where id = $2 on conflict do nothing`,
    [repository, clusterId],
  )
  await sql.query(
    `insert into vault_files (repo_id, type, name, bytes, stored_at, scrub_at, trashed_at, trashed_by)
    values ($1, 'data', $2, $3, now(), now() + interval '30 days', now() - $4::int * interval '1 day', $5)`,
    [repository, nameOf(content), content.length, trashedDaysAgo, trashedDaysAgo === null ? null : 'vg_prune'],
  )
}

async function setZone(sql: Client, domain: string, address: string): Promise<void> {
  await sql.query('begin')
  await sql.query(
    `insert into zones (domain, version, name_servers) values ($1, nextval('zone_versions'), '{ns1.host.example}')
    on conflict (domain) do update set version = nextval('zone_versions')`,
    [domain],
  )
  await sql.query('delete from zone_records where domain = $1', [domain])
  await sql.query(`insert into zone_records (domain, name, type, value, ttl) values ($1, $1, 'A', $2, 60)`, [
    domain,
    address,
  ])
  await sql.query(`select graphile_worker.add_job('zone.reconcile', json_build_object('id', $1::text))`, [domain])
  await sql.query('commit')
}

/** Each zone with its addresses. */
async function zonesOf(powerDns: TestPowerDns): Promise<string[]> {
  const zones = JSON.parse((await powerDns.ask('GET', 'zones')).text) as { name: string }[] // PowerDNS' own answer
  const said = zones.map(async ({ name }) => {
    const { text } = await powerDns.ask('GET', `zones/${name}`)
    const addresses = text.match(/192\.0\.2\.\d+/g) ?? []
    return `${name} ${addresses.join(' ')}`
  })
  return (await Promise.all(said)).toSorted()
}
