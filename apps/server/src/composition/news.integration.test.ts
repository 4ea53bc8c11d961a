import { firstStepsDismiss, firstStepsShow, newsList, newsRead, passwordKept } from '@atoll/contract/accounts'
import type { Call } from '@atoll/contract/wire'
import { expect, test } from 'vitest'
import { useBilledHarness } from '../modules/clusters/testing/billed-harness.ts'
import { recordNews } from '../modules/news/index.ts'
import { composeNews } from './people.ts'

const { bills, harness } = useBilledHarness()

const ask = async (call: Call, body = {}) => {
  const { routes } = composeNews({ db: harness.db, clock: bills.clock })
  const route = routes.find((one) => one.call.name === call.name)
  return await route?.handle(body, { account: bills.caller() } as never) // of a request, what these calls read
}

test('a first step is done by facts, and stays done; an account that dismisses them no longer sees them', async () => {
  const done = async () => {
    const { steps } = firstStepsShow.data.parse(await ask(firstStepsShow))
    return steps.filter(({ isDone }) => isDone).map(({ step }) => step)
  }
  expect(await done()).toEqual([])
  await harness.database.pool.query(`update accounts set email = 'reef@example.com' where account_id = $1`, [
    bills.owner,
  ])
  const clusterId = await bills.running()
  expect(await done()).toEqual(['email', 'create'])
  await harness.database.pool.query('update instances set os_active = true where cluster_id = $1', [clusterId])
  await harness.database.pool.query(`update clusters set status = 'destroyed' where id = $1`, [clusterId])
  await ask(passwordKept)
  await ask(passwordKept)
  expect(await done()).toEqual(['email', 'create', 'activate', 'password'])
  await harness.database.pool.query(
    `insert into backups (id, owner, cluster_id, name, repo_id, paths, schedule, time_zone, keep, state, slots_until,
       password, has_repository, created_at, deleted_at)
     values ('bk_1', $1, $2, 'b', 'rp_1', '[]', '{}', 'UTC', '{}', 'deleted', now(), 'kept', true, now(), now())`,
    [bills.owner, clusterId],
  )
  expect(await done()).toHaveLength(5)
  expect(await ask(firstStepsShow)).toMatchObject({ isDismissed: false })
  await ask(firstStepsDismiss)
  expect(await ask(firstStepsShow)).toMatchObject({ isDismissed: true })
})

test('an event of a cluster that nobody asked for is news until it is read, and no longer than 30 days', async () => {
  const clusterId = await bills.running()
  const list = async () => newsList.data.parse(await ask(newsList))
  const { items } = await list()
  expect(items).toMatchObject([{ kind: 'clusterReady', object: { kind: 'cluster', id: clusterId }, isUnread: true }])
  const news = (at: Date, name: string, userid = bills.owner) =>
    harness.db
      .transaction()
      .execute((trx) => recordNews(trx, { userid, at, kind: 'domainContested', object: { id: name, name } }))
  const day = 24 * 3600_000
  const now = bills.clock.now().getTime()
  await news(new Date(now + 1000), 'lagoon.example')
  // An event of somebody else's domain is no news here.
  const other = await harness.newOwner('lagoon', 4)
  await news(new Date(now + 1000), 'atoll.example', other)
  expect((await list()).unread).toBe(2)
  await ask(newsRead, { upTo: items[0]?.at })
  expect((await list()).items.map(({ isUnread }) => isUnread)).toEqual([true, false])
  // The repeat of an older request arrives late: nothing becomes unread.
  await ask(newsRead, { upTo: new Date(now - day).toISOString() })
  expect((await list()).items.map(({ isUnread }) => isUnread)).toEqual([true, false])
  await news(new Date(now + 31 * day), 'reef.example')
  const kept = await harness.db.selectFrom('news').select('object_name').where('account_id', '=', bills.owner).execute()
  expect(kept).toEqual([{ object_name: 'reef.example' }])
})
