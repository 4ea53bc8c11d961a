/**
 * An order that a card pays, until its cluster is being made, against its necessary parts: the same order paid from the
 * balance, the charge, and the two jobs that charge and wake.
 */

import { createCluster, destroyMaster } from '@atoll/contract/clusters'
import { money } from '@atoll/money'
import { type ApiClient, startPostgresServer, startServer, until } from '@atoll/testkit'
import { Client } from 'pg'
import { z } from 'zod'
import { findAccountOfDid } from '../../apps/server/src/modules/accounts/index.ts'
import { addSandboxCard } from '../../apps/server/src/modules/billing/testing/charging-harness.ts'
import { sandboxCharging } from '../../apps/server/src/modules/billing/testing/sandbox-charging.ts'
import { insertCard } from '../../apps/server/src/modules/payments/drivers/sandbox/sandbox-store.ts'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { newId } from '../../apps/server/src/platform/crypto.ts'
import { createDatabase, type Db, migrate } from '../../apps/server/src/platform/db/index.ts'
import { defineJob, enqueueJob, startWorker } from '../../apps/server/src/platform/jobs/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, type Ratio } from '../figures.ts'
import { signUp } from '../sign-up.ts'
import { composeOrder, credit, envOf } from './bill-calls.ts'

const rounds = 16

export async function measureCardOrders(): Promise<Ratio> {
  const postgres = await startPostgresServer()
  const client = new Client({ connectionString: postgres.url('postgres') })
  try {
    await client.connect()
    await client.query('create database bench')
    await client.query('create database bare')
    await using server = await startServer({ env: envOf(postgres.url('bench')), roles: ['api', 'worker'] })
    await using bare = await openBare(postgres.url('bare'))
    await using ordering = await openOrdering(postgres.url('bench'))
    const [byCard, byBalance] = [await signUp(server.url, 'carded'), await signUp(server.url, 'credited')]
    await ordering.addCard(byCard.session.userid)
    await credit(postgres.url('bench'), byBalance.session.userid)
    const took = { card: [] as number[], balance: [] as number[], charge: [] as number[], hop: [] as number[] }
    // The first of each warms it up.
    for (let round = -1; round < rounds; round += 1) {
      // Each comes first as often: what an order leaves behind is not always the same one's to bear.
      for (const part of round % 2 === 0 ? (['card', 'balance'] as const) : (['balance', 'card'] as const)) {
        const ms = await ordering.order(part === 'card' ? byCard.api : byBalance.api)
        const [charge, hop] = [await bare.charge(), await bare.hop()]
        if (round < 0) continue
        took[part].push(ms)
        took.charge.push(charge)
        took.hop.push(hop)
      }
    }
    const [card, balance, charge, hop] = [took.card, took.balance, took.charge, took.hop].map(median) as [
      number,
      number,
      number,
      number,
    ]
    const words = [card, balance, charge, hop].map((ms) => ms.toFixed(1))
    return {
      name: 'card order to fetching ÷ (balance order + bare sandbox charge + two bare job hops)',
      value: card / (balance + charge + 2 * hop),
      target: { atMost: 1.5 },
      from: `${words[0]} ms against ${words[1]} + ${words[2]} + 2 × ${words[3]} ms, medians of ${rounds} in turn`,
    }
  } finally {
    await client.end()
    await postgres.stop()
  }
}

interface Ordering extends AsyncDisposable {
  addCard(did: string): Promise<void>
  /** ms from the order until its cluster is being made; it is gone again when this resolves. */
  order(api: ApiClient): Promise<number>
}

async function openOrdering(connectionString: string): Promise<Ordering> {
  const database = createDatabase({ connectionString }, { max: 2 })
  const statusOf = async (clusterId: string) => {
    const { rows } = await database.pool.query('select status from clusters where id = $1', [clusterId])
    return rows[0]?.status
  }
  return {
    async addCard(did) {
      const userid = (await findAccountOfDid(database.db, did)) ?? ''
      await database.db.transaction().execute((trx) => addSandboxCard(trx, userid, '4242424242424242'))
    },
    async order(api) {
      const order = await composeOrder(api, 'bay')
      const begun = performance.now()
      const { clusterId, paid } = await api.ask(createCluster, order)
      if (!paid) throw new Error('an order is not paid')
      const isMade = async () => (await statusOf(clusterId)) !== 'unpaid'
      if (!(await isMade())) await until('the cluster is being made', isMade, { intervalMs: 1 })
      const ms = performance.now() - begun
      await api.ask(destroyMaster, { clusterId, confirm: true })
      const isGone = async () => ['destroyed', undefined].includes(await statusOf(clusterId))
      await until('the cluster is gone', isGone, { timeoutMs: 60_000 })
      return ms
    },
    [Symbol.asyncDispose]: () => database.close(),
  }
}

interface Bare extends AsyncDisposable {
  /** ms of a payment that the sandbox makes and confirms, and nothing else. */
  charge(): Promise<number>
  /** ms from a job's enqueuing until it runs. */
  hop(): Promise<number>
}

async function openBare(connectionString: string): Promise<Bare> {
  const { db, pool, close } = createDatabase({ connectionString }, { max: 4 })
  await migrate(pool)
  const { gateway } = sandboxCharging(db, systemClock)
  const card = await keepSandboxCard(db)
  const hopped = new EventTarget()
  const job = defineJob({
    name: 'bench.hop',
    lane: 'own',
    waits: 'never',
    payload: z.object({}),
    async run() {
      hopped.dispatchEvent(new Event('hop'))
    },
  })
  const worker = await startWorker({ connection: { connectionString }, jobs: [job], log: silentLog })
  return {
    async charge() {
      const pays = { document: newId('inv'), number: 'bench', period: 'bench' }
      const shown = {
        sending: 1,
        pays,
        description: 'bench',
        locale: 'en-US' as const,
        returnUrl: 'http://cloud.example/',
      }
      const order = { paymentId: newId('pay'), card, amount: money(720, 'usd'), ...shown }
      const begun = performance.now()
      const created = await gateway.create(order)
      if (created.kind !== 'open') throw new Error(`a payment is ${created.kind}`)
      const confirmed = await gateway.confirm({ ...order, ref: created.ref })
      if (confirmed.kind !== 'done') throw new Error(`a payment is ${confirmed.kind}`)
      return performance.now() - begun
    },
    async hop() {
      const ran = new Promise((resolve) => hopped.addEventListener('hop', resolve, { once: true }))
      const begun = performance.now()
      await enqueueJob(db, job.name, {})
      await ran
      return performance.now() - begun
    },
    async [Symbol.asyncDispose]() {
      await worker.stop()
      await close()
    },
  }
}

async function keepSandboxCard(db: Db): Promise<{ customer: string; card: string }> {
  const [customer, card] = [newId('sb'), newId('sb')]
  const facts = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2040, charging: 'pays' as const }
  await db.transaction().execute((trx) => insertCard(trx, { ...facts, id: card, customer }))
  return { customer, card }
}
