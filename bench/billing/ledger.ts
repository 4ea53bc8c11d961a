import { money } from '@atoll/money'
import { createScriptedWallet, startPostgresServer } from '@atoll/testkit'
import { Client } from 'pg'
import { entriesOf } from '../../apps/server/src/modules/ledger/postings.ts'
import { createDatabase, migrate } from '../../apps/server/src/platform/db/index.ts'
import { median, type Ratio } from '../figures.ts'

const books = 1000
const connections = 8
const perRound = 4000
const rounds = 5

interface Row {
  book: string
  accounts: string[]
  amounts: number[]
  key: string
}

/** The reference: the same rows into tables with the same keys and checks, in one statement, and nothing else. */
const rawTables = `
  create table raw_transactions (like ledger_transactions including all);
  create table raw_entries (like ledger_entries including all);
  create sequence raw_seq;`
const rawInsert = `
  with made as (
    insert into raw_transactions select $1, nextval('raw_seq'), now(), now(), 'invoice', 'iv_bench', $2, repeat('0', 64)
      returning book, seq
  )
  insert into raw_entries select book, seq, line, account, amount, -1
    from made, unnest($3::text[], $4::bigint[]) with ordinality entry (account, amount, line)`
const posting = `select * from ledger_post($1, 'usd', now(), 'invoice', 'iv_bench', $2, $3, $4)`

/** Postings per second over 8 connections and 1 000 books ÷ inserts of the same rows that check and chain nothing. */
export async function measureLedger(): Promise<Ratio> {
  const server = await startPostgresServer()
  try {
    const connectionString = server.url('postgres')
    const userids = await prepare(connectionString)
    const clients = Array.from({ length: connections }, () => new Client({ connectionString }))
    for (const client of clients) await client.connect()
    const posted: number[] = []
    const inserted: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const rows = composeRows(userids, round)
      inserted.push(await ratePerSecond(clients, { name: 'raw', text: rawInsert }, rows))
      posted.push(await ratePerSecond(clients, { name: 'posting', text: posting }, rows))
    }

    for (const client of clients) await client.end()

    return {
      name: 'ledger postings ÷ bare inserts of the same rows',
      value: median(posted) / median(inserted),
      target: { atLeast: 0.25 },
      from: `${median(posted).toFixed(0)} postings/s, ${median(inserted).toFixed(0)} inserts/s, ${connections} connections, ${books} books`,
    }
  } finally {
    await server.stop()
  }
}

async function prepare(connectionString: string): Promise<string[]> {
  const { db, pool, close } = createDatabase({ connectionString })
  try {
    await migrate(pool)
    await pool.query(rawTables)
    const created_at = new Date()
    const dids = Array.from({ length: books }, () => createScriptedWallet().did)
    const made = await db
      .insertInto('accounts')
      .values(dids.map((did) => ({ did, can_create_cluster: true, vcpu_quota: 16, created_at })))
      .returning('account_id')
      .execute()
    return made.map((row) => row.account_id)
  } finally {
    await close()
  }
}

/** Invoices of a machine and a plan with a discount, one after the other over the books. */
function composeRows(userids: string[], round: number): Row[] {
  return Array.from({ length: perRound }, (_, n) => {
    const price = (minor: number) => money(minor + n, 'usd')
    const entries = entriesOf('invoice', {
      items: [
        { revenue: 'instance', gross: price(1440), discount: price(100) },
        { revenue: 'plan', gross: price(900), discount: money(0, 'usd') },
      ],
    })
    return {
      book: userids[n % userids.length] ?? '',
      accounts: entries.map(({ account }) => account),
      amounts: entries.map(({ amount }) => amount.minor),
      key: `${round} ${n}`,
    }
  })
}

async function ratePerSecond(clients: Client[], query: { name: string; text: string }, rows: Row[]): Promise<number> {
  const left = rows.values()
  const begun = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (const { book, key, accounts, amounts } of left) {
        await client.query({ ...query, values: [book, key, accounts, amounts] })
      }
    }),
  )
  return (rows.length * 1000) / (performance.now() - begun)
}
