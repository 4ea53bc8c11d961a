/**
 * The cost of a month's bills of subscriptions that all end at one instant, paid from the balance, with the queue, the
 * ledger and mails written as in a server; and on accounts whose own clocks travel through a year.
 */
import { createTestClock, startPostgresServer, until } from '@atoll/testkit'
import { Client } from 'pg'
import type { BillingDeps } from '../../apps/server/src/modules/billing/index.ts'
import { openHarness } from '../../apps/server/src/modules/billing/testing/billing-harness.ts'
import { postMail } from '../../apps/server/src/modules/mail/mail-service.ts'
import { createSealer } from '../../apps/server/src/platform/crypto.ts'
import { createDatabase, migrate } from '../../apps/server/src/platform/db/index.ts'
import { startWorker } from '../../apps/server/src/platform/jobs/index.ts'
import { silentLog } from '../../apps/server/src/platform/log.ts'
import { median, type Ratio } from '../figures.ts'
import { firstEnd, insertSubscribers } from './month-end-accounts.ts'

const few = 1000
const many = 10_000
/** As many of each are billed in so many stretches in turn: both see the same machine. */
const stretches = 9
/** Bills paid before the first poll and while it stops count too, up to 30; all of them are less than the few. */
const perStretch = 65
/** As travel takes long, it follows each third stretch. */
const perTravel = 3
/** So many accounts go through twelve months each. */
const travellers = 20
const months = 12
const dayMs = 86_400_000

export async function measureMonthEnd(): Promise<Ratio[]> {
  const server = await startPostgresServer()
  const open = async (name: string, count: number, at = firstEnd) => {
    await ask(server.url('postgres'), `create database ${name} template subscribers`)
    await insertSubscribers(server.url(name), count)
    return await openSubscribers(server.url(name), at)
  }
  try {
    await ask(server.url('postgres'), 'create database subscribers')
    await migrateOnce(server.url('subscribers'))
    {
      // Compilation in the first run of each is not counted.
      await using warm = await open('warm', 200)
      await billMonth(warm, 100)
    }
    const [ofFew, ofMany, travelled] = [[] as number[], [] as number[], [] as number[]]
    await using ofThousand = await open('few', few)
    await using ofAll = await open('many', many)
    for (let stretch = 0; stretch < stretches; stretch += 1) {
      ofFew.push(await billMonth(ofThousand, perStretch))
      ofMany.push(await billMonth(ofAll, perStretch))
      if (stretch % perTravel > 0) continue
      await using travelling = await open(`travel${stretch}`, travellers, new Date(firstEnd.getTime() - dayMs))
      travelled.push(await travelYear(travelling))
    }
    const words = (figures: number[]) => figures.map((ms) => ms.toFixed(1)).join(' ')
    return [
      {
        name: `month-end time an invoice with ${many} subscriptions due ÷ with ${few}`,
        value: median(ofMany) / median(ofFew),
        target: { atMost: 1.2 },
        from: `ms an invoice, stretches of ${perStretch} in turn: ${words(ofMany)} against ${words(ofFew)}`,
      },
      {
        name: 'document of a travelled year ÷ month-end invoice',
        value: median(travelled) / median(ofFew),
        target: { atMost: 2 },
        from: `ms a document, in turn: ${words(travelled)}; ${travellers} accounts, ${months} months`,
      },
    ]
  } finally {
    await server.stop()
  }
}

interface Subscribers extends AsyncDisposable {
  client: Client
  /** Works the queue until so many more invoices are paid after the first; ms for each. */
  work(invoices: number): Promise<number>
}

async function openSubscribers(url: string, at: Date): Promise<Subscribers> {
  const database = createDatabase({ connectionString: url }, { max: 12 })
  const clock = createTestClock(at)
  const sealer = createSealer(Buffer.alloc(32, 7))
  const mail: BillingDeps['mail'] = { post: (trx, order) => postMail(trx, { clock, sealer }, order) }
  const harness = await openHarness(database, { clock, mail })
  const client = new Client({ connectionString: url })
  await client.connect()
  const countPaid = async () => {
    const { rows } = await client.query(`select count(*)::int as paid from invoices where state = 'paid'`)
    return rows[0].paid
  }
  return {
    client,
    async work(invoices) {
      let before = await countPaid()
      const worker = await startWorker({
        connection: { connectionString: url },
        jobs: harness.billing.jobs,
        log: silentLog,
        onFinished(job, outcome) {
          if (outcome === 'failed') throw new Error(`a run of ${job} failed`)
        },
      })
      // Finding and enqueuing all that is due happens once for a whole month's end, not for each part of it.
      const first = async () => (await countPaid()) > before
      await until('the first bill is paid', first, { intervalMs: 5, timeoutMs: 60_000 })
      before = await countPaid()
      const begun = performance.now()
      const paid = await until(
        'the bills are paid',
        async () => {
          const now = (await countPaid()) - before
          return now >= invoices ? now : undefined
        },
        { intervalMs: 20, timeoutMs: 600_000 },
      )
      const ms = performance.now() - begun
      await worker.stop()
      return ms / paid
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await database.close()
    },
  }
}

/** A month's end as the job of each minute finds it. */
async function billMonth({ client, work }: Subscribers, invoices: number): Promise<number> {
  await client.query(`select graphile_worker.add_job('billing.due', '{}', job_key => 'month-end')`)
  return await work(invoices)
}

/** Through the first end and those of the eleven months after it. */
async function travelYear({ client, work }: Subscribers): Promise<number> {
  await client.query(`insert into travels (userid, target, destroy)
    select userid, period_end + interval '${months} months' - interval '1 day', '{}' from subscriptions`)
  await client.query(`select graphile_worker.add_job('billing.travel', json_build_object('userid', userid),
    job_key => 'billing.travel:' || userid) from travels`)
  // The first of them are not counted.
  return await work(travellers * (months - 1))
}

async function migrateOnce(connectionString: string): Promise<void> {
  const { pool, close } = createDatabase({ connectionString })
  await migrate(pool)
  await close()
}

async function ask(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString })
  await client.connect()
  await client.query(sql)
  await client.end()
}
