/**
 * How long the operator's lists take with 100 000 customers and a million invoices, beside the same lists with 1000
 * customers on the same machine, in turn. `ATOLL_BENCH_CUSTOMERS` is for a machine that has no room for so many.
 */

import { announcementsPage } from '@atoll/contract/announcements'
import {
  abusePage,
  attentionList,
  customersExportPath,
  customersPage,
  moneyShow,
  staffClustersPage,
  staffPage,
} from '@atoll/contract/staff'
import { type ServerProcess, startPostgresServer, startServer } from '@atoll/testkit'
import { Client } from 'pg'
import { p99, type Ratio } from '../figures.ts'
import { signUp } from '../sign-up.ts'
import { insertCustomers } from './customers.ts'

const few = 1000
const many = Number(process.env['ATOLL_BENCH_CUSTOMERS'] ?? 100_000)
/** Calls of each list that count; the first ones warm it up. */
const calls = 200
const warming = 5
/** A list that misses its target by far is given up before it has taken so long, ms. */
const mostMs = 5000

interface Asked {
  name: string
  path: string
  body: object
}
const customers = (name: string, body: object): Asked => ({
  name: `customers ${name}`,
  path: customersPage.path,
  body,
})
const clusters = (name: string, body: object): Asked => ({
  name: `clusters ${name}`,
  path: staffClustersPage.path,
  body,
})
/** The last page that both have. */
const latePage = { page: few / 20, rowsPerPage: 20 }
const lists: Asked[] = [
  customers('by last visit', {}),
  customers('by name', { sort: 'name' }),
  customers('by what they owe', { sort: 'owed' }),
  customers('by balance', { sort: 'balance' }),
  customers('by what they pay a month', { sort: 'monthly' }),
  customers('past due', { state: 'pastDue' }),
  customers('suspended', { state: 'suspended' }),
  customers('active in one currency by balance', { state: 'active', currency: 'cny', sort: 'balance' }),
  customers('of a plan', { plan: 0 }),
  customers('found by the beginning of an ID', { search: 'a1' }),
  customers('found by a part of an ID', { search: 'f47' }),
  customers('found by an email', { search: 'reef99' }),
  customers('found by an invoice', { search: 'R-777' }),
  customers('on page 50', latePage),
  customers('by name on page 50', { sort: 'name', ...latePage }),
  customers('by balance on page 50', { sort: 'balance', ...latePage }),
  clusters('by name', {}),
  clusters('that are stuck', { group: 'stuck' }),
  clusters('that run', { group: 'running' }),
  clusters('found by a part of a name', { search: 'eef 77' }),
  clusters('on page 50', latePage),
  { name: 'money', path: moneyShow.path, body: { currency: 'usd' } },
  { name: 'overview', path: attentionList.path, body: {} },
  { name: 'staff', path: staffPage.path, body: {} },
  { name: 'abuse reports', path: abusePage.path, body: {} },
  { name: 'announcements', path: announcementsPage.path, body: {} },
  { name: 'export of past due customers', path: customersExportPath, body: { state: 'pastDue' } },
]

export async function measureOperatorLists(): Promise<Ratio[]> {
  const postgres = await startPostgresServer()
  try {
    await using small = await openDeployment(postgres, 'few', few)
    await using large = await openDeployment(postgres, 'many', many)
    const ratios: Ratio[] = []
    for (const list of lists) ratios.push(await compare(list, small, large))
    return ratios
  } finally {
    await postgres.stop()
  }
}

async function compare({ name, path, body }: Asked, small: Deployment, large: Deployment): Promise<Ratio> {
  const took = { small: [] as number[], large: [] as number[] }
  let spent = 0
  for (let call = -warming; call < calls && (spent < mostMs || call <= 0); call += 1) {
    const ofSmall = await small.ask(path, body)
    const ofLarge = await large.ask(path, body)
    spent += ofLarge
    if (call < 0) continue
    took.small.push(ofSmall)
    took.large.push(ofLarge)
  }
  const [reference, ours] = [p99(took.small), p99(took.large)]
  return {
    name: `p99 of ${name}, ${many} customers ÷ ${few}`,
    value: ours / reference,
    target: { atMost: 1.5 },
    from: `${ours.toFixed(1)} ms, ${reference.toFixed(1)} ms, ${took.large.length} calls of each in turn`,
  }
}

interface Deployment extends AsyncDisposable {
  /** ms until the whole answer of an operator's call is there. */
  ask(path: string, body: object): Promise<number>
}

async function openDeployment(
  postgres: Awaited<ReturnType<typeof startPostgresServer>>,
  name: string,
  count: number,
): Promise<Deployment> {
  await query(postgres.url('postgres'), `create database ${name}`)
  const databaseUrl = postgres.url(name)
  const env = {
    DATABASE_URL: databaseUrl,
    ATOLL_SECRET_KEY: 'bench-key-of-more-than-32-characters',
    ATOLL_RATE_FACTOR: '1000',
    ATOLL_LOG_LEVEL: 'warn',
  }
  const server: ServerProcess = await startServer({ env, roles: ['api'] })
  const { session } = await signUp(server.url, 'reef')
  const did = session.userid
  await query(
    databaseUrl,
    `insert into staff (account_id, role, granted_at)
    select account_id, 'operator', now() from accounts where did = '${did}'`,
  )
  await insertCustomers(databaseUrl, count)
  const headers = { 'content-type': 'application/json', userid: did, token: session.token }
  return {
    async ask(path, body) {
      const begun = performance.now()
      const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      const text = await answer.text()
      const took = performance.now() - begun
      // A call that the server gave up misses any target.
      if (answer.status === 503 || text.startsWith('{"code":503,')) return Number.POSITIVE_INFINITY
      if (!answer.ok || /^\{"code":(?!0,|200,)/.test(text))
        throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`)
      return took
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function query(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
