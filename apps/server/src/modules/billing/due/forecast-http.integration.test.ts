/** The forecast as a page asks for it: over HTTP, with what a person assumes. */
import { forecast, planChange } from '@atoll/contract/billing'
import { createCluster } from '@atoll/contract/clusters'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/clock.ts'
import { startWholeServer, type WholeServer } from '../../../testing/whole-server.ts'
import { creditAccount } from '../index.ts'

let server: WholeServer
beforeAll(async () => {
  server = await startWholeServer()
})
afterAll(() => server.close())

/** Somebody on Starter, which includes 300 GB of traffic and charges for more, with a cluster and an address. */
async function createStarter(name: string) {
  const { api, userid } = await server.createPerson(name)
  const { db, pool } = server.database
  await creditAccount(
    { db, clock: systemClock, keepUsageCovered: async () => undefined },
    { who: userid, amount: '100.00', kind: 'cash' },
  )
  expect(await api.ask(planChange, { planLevel: 1 })).toMatchObject({ paid: true })
  await api.ask(createCluster, { clusterType: 'SelfHost', reverseProxy: 'none' })
  await pool.query('update accounts set email = $2 where account_id = $1', [userid, 'reef@mail.example'])
  return api
}

test('what is assumed to be used is charged, and the mails of its marks are named', async () => {
  const api = await createStarter('assumed@atoll.test')
  const asThingsAre = await api.ask(forecast, { months: 3, cards: 'pay' })
  expect(asThingsAre.documents.filter(({ kind }) => kind === 'usage')).toEqual([])
  expect(asThingsAre.mails.filter(({ kind }) => kind === 'usage')).toEqual([])

  const { documents, mails } = await api.ask(forecast, { months: 3, cards: 'pay', usage: { cloud_traffic: '600.5' } })
  const bills = documents.filter(({ kind }) => kind === 'usage')
  expect(bills.length).toBeGreaterThanOrEqual(2)
  // Of 28 to 31 days, 30 of which move 600.5 GB: 3 cents for each above 300.
  for (const { amount } of bills) {
    expect(amount).toBeGreaterThan(750)
    expect(amount).toBeLessThan(970)
  }
  // At 80 and at 100 % of each period, in its first two thirds, with half of what is moved left to come.
  const marks = mails.filter(({ kind }) => kind === 'usage')
  expect(marks.length).toBe(6)
  expect(new Set(marks.map(({ to }) => to))).toEqual(new Set(['reef@mail.example']))
  expect(marks.map(({ at }) => at)).toEqual(marks.map(({ at }) => at).toSorted())
})

test.each(['-1', '1e3', '1.2345678', 'much'])('a quantity of %j is refused, naming its field', async (quantity) => {
  const { api } = await server.createPerson()
  const { code, message } = await api.send(forecast, { months: 3, cards: 'pay', usage: { cloud_traffic: quantity } })
  expect(code).not.toBe(200)
  expect(message).toContain('usage[cloud_traffic]')
})
