/** The weekly limits of an account and of a registered domain. */
import { expect, test } from 'vitest'
import { newId } from '../../../platform/crypto.ts'
import { useDatabase } from '../../../platform/db/testing/use-database.ts'
import { findCertificate } from '../stores/certificate-store.ts'
import { findSpentBudget } from './find-obstacle.ts'

const database = useDatabase()
const now = new Date('2026-06-08T00:00:00Z')
const hour = 60 * 60_000
/** In this test the first label of a name is its account. */
const findAccount = async (_: unknown, __: number, name: string) => name.split('.').at(-3)
const deps = {
  domains: { findAccount } as unknown as Parameters<typeof findSpentBudget>[1]['domains'], // all it asks
  weeklyShare: 10,
}
let number = 0
const newDomain = () => {
  number += 1
  return { number, name: `reef${number}.example` }
}

async function order(name: string, count: number, account: string, facts: { renewal?: boolean; open?: boolean } = {}) {
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId('ao'),
    certificate: newId('crt'),
    names: [],
    registrable: name,
    url: '',
    sealed_key: '',
    account,
    is_renewal: facts.renewal ?? false,
    created_at: now,
    state: facts.open ? ('open' as const) : ('issued' as const),
    ended_at: facts.open ? null : new Date(now.getTime() - (count - index) * hour),
  }))
  if (rows.length > 0) await database.db.insertInto('acme_orders').values(rows).execute()
}

async function awaitCertificate(domain: { number: number; name: string }, host: string, isVisited: boolean) {
  const id = newId('crt')
  const times = { next_try_at: now, created_at: now }
  const visited = isVisited ? { visited_cluster: 'cl_one', visited_at: now } : {}
  await database.db
    .insertInto('certificates')
    .values({
      id,
      domain: domain.number,
      domain_name: domain.name,
      names: [host],
      challenge: 'http-01',
      ...visited,
      ...times,
    })
    .execute()
  const row = await findCertificate(database.db, id)
  if (!row) throw new Error('it was written a moment ago')
  return () => findSpentBudget(database.db, deps, row, now)
}

test('an account has ten, on order or issued, and the time says when the first of them is a week old', async () => {
  const domain = newDomain()
  await order(domain.name, 9, 'lena')
  const ask = await awaitCertificate(domain, `lena.${domain.name}`, false)
  expect(await ask()).toBeUndefined()
  await order(domain.name, 1, 'lena', { open: true })
  expect(await ask()).toEqual({ problem: 'orderLimit', until: new Date(now.getTime() - 9 * hour + 7 * 24 * hour) })
  const other = await awaitCertificate(domain, `jonas.${domain.name}`, false)
  expect(await other()).toBeUndefined()
})

test('renewals are not counted', async () => {
  const domain = newDomain()
  await order(domain.name, 60, 'lena', { renewal: true })
  expect(await (await awaitCertificate(domain, `lena.${domain.name}`, false))()).toBeUndefined()
})

test("clusters' own hosts come before what visits ask for, in the share of an account and in the fifty of all", async () => {
  const mine = newDomain()
  await order(mine.name, 9, 'lena')
  const visited = await awaitCertificate(mine, `photos.lena.${mine.name}`, true)
  expect(await visited()).toBeUndefined()
  const own = await awaitCertificate(mine, `lena.${mine.name}`, false)
  expect(await visited()).toMatchObject({ problem: 'orderLimit' })
  expect(await own()).toBeUndefined()

  const all = newDomain()
  for (let account = 0; account < 7; account += 1) await order(all.name, 7, `account${account}`)
  const guest = await awaitCertificate(all, `photos.lena.${all.name}`, true)
  expect(await guest()).toBeUndefined()
  const host = await awaitCertificate(all, `jonas.${all.name}`, false)
  expect(await guest()).toMatchObject({ problem: 'orderLimit' })
  expect(await host()).toBeUndefined()
  await order(all.name, 1, 'jonas')
  expect(await host()).toMatchObject({ problem: 'orderLimit' })
})
