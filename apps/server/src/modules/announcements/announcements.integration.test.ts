/** Announcements from writing one to the mail, the banner's call, the status page and its feed. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  announcementsNow,
  announcementsPage,
  announcementUpdate,
  announcementWrite,
} from '@atoll/contract/announcements'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createIds } from '../../authorization/testing/owned-ids.ts'
import { openTestApp, type Person, type TestApp } from '../../authorization/testing/test-app.ts'
import { silentLog } from '../../platform/log.ts'
import { createStatus, publishStatus } from './index.ts'

let app: TestApp
let [operator, customer, stranger]: Person[] = []
beforeAll(async () => {
  app = await openTestApp()
  operator = await app.createPerson('User', 'operator')
  customer = await app.createPerson()
  stranger = await app.createPerson()
  await createIds(app.database, customer)
})
afterAll(() => app[Symbol.asyncDispose]())

const texts = { titleEn: 'Slow <starts>', titleZh: '启动较慢', textEn: 'We look & mend.', textZh: '正在处理。' }
const run = async (name: string, payload: object = {}) => {
  const job = app.system.jobs.find((each) => each.name === name)
  if (!job) throw new Error(`no job is called ${name}`)
  await job.run(payload, { log: silentLog, signal: new AbortController().signal, attempt: 1 })
}
const page = async (path: string, language = 'en') =>
  await fetch(app.origin + path, { headers: { 'accept-language': language } })

it('is shown to whom it touches and mailed to each once, until it is over', async () => {
  if (!operator || !customer || !stranger) throw new Error('nobody is there')
  const { db } = app.database
  const { regions } = await operator.api.ask(announcementsPage, {})
  const { rows } = await sql<{ region: string }>`select cloud_name || '/' || region_id as region from clusters
    where owner = ${customer.userid} and region_id is not null`.execute(db)
  const here = rows[0]?.region ?? ''
  expect(regions.map(({ region }) => region)).toContain(here)
  await sql`update accounts set email = account_id || '@example.com'`.execute(db)

  const refused = await operator.api.send(announcementWrite, {
    ...texts,
    kind: 'incident',
    impact: 'limited',
    byMail: true,
    regions: ['atoll/nowhere'],
  })
  expect(refused.field).toBe('regions')
  const { announcementId } = await operator.api.ask(announcementWrite, {
    ...texts,
    kind: 'incident',
    impact: 'down',
    byMail: true,
    regions: [here],
    components: ['clusters'],
  })
  const shown = await customer.api.ask(announcementsNow, {})
  expect(shown.map((one) => one.announcementId)).toEqual([announcementId])
  expect(await stranger.api.ask(announcementsNow, {})).toEqual([])

  const mails = async () =>
    (await sql<{ userid: string }>`select userid from mails where kind = 'announcement'`.execute(db)).rows
  await run('announcements.mail', { id: announcementId })
  await run('announcements.mail', { id: announcementId })
  expect(await mails()).toEqual([{ userid: customer.userid }])

  await operator.api.ask(announcementUpdate, { announcementId, textEn: 'It works.', textZh: '已恢复。', ends: true })
  expect(await customer.api.ask(announcementsNow, {})).toEqual([])
  const again = { announcementId, textEn: 'It works.', textZh: '已恢复。', ends: true }
  expect((await operator.api.send(announcementUpdate, again)).code).toBe(409)
})

it('maintenance ahead is shown for three days before it', async () => {
  if (!operator || !stranger) throw new Error('nobody is there')
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const order = { ...texts, kind: 'maintenance', impact: 'limited', byMail: false } as const
  const wrong = { ...order, startsAt: inDays(2), endsAt: inDays(1) }
  expect((await operator.api.send(announcementWrite, wrong)).field).toBe('endsAt')
  const { announcementId } = await operator.api.ask(announcementWrite, {
    ...order,
    startsAt: inDays(5),
    endsAt: inDays(6),
  })
  const { rows } = await sql`select 1 from graphile_worker.jobs
    where key = ${`announcements.mail:${announcementId}`}`.execute(app.database.db)
  expect(rows, 'nobody is written to unless it is asked for').toEqual([])
  expect(await stranger.api.ask(announcementsNow, {})).toEqual([])
  await operator.api.ask(announcementWrite, { ...order, startsAt: inDays(2), endsAt: inDays(3) })
  expect(await stranger.api.ask(announcementsNow, {})).toHaveLength(1)
})

it('the status page needs no session and no script, and goes on without the database', async () => {
  const { db } = app.database
  // One that lasted longer than the page looks back, and ended just now.
  await sql`update announcements set starts_at = now() - interval '100 days' where ended_at is not null`.execute(db)
  await sql`insert into queue_heartbeat (at) values (now()) on conflict (is_only) do update set at = now()`.execute(db)
  await run('status.make')
  const answers = createStatus({
    db,
    log: silentLog,
    clock: { now: () => new Date() },
    config: { product: 'Atoll', publicUrl: 'http://atoll.test' },
  })
  await answers.read()
  const html = String(answers.answer('/status?lang=en', 'zh-CN')?.body)
  expect(html).toContain('Slow &lt;starts&gt;')
  expect(html).toContain('We look &amp; mend.')
  expect(html).toContain('It works.')
  expect(html).not.toMatch(/<script|<starts>/)
  // No process of this test writes a heartbeat.
  expect(html).toContain('Some parts do not work')
  expect(String(answers.answer('/status/feed.xml', 'zh-CN')?.body)).toContain('<title>启动较慢</title>')
  expect(answers.answer('/statuses', 'en-US')).toBeUndefined()

  await sql`alter table status_page rename to status_page_away`.execute(db)
  await expect(answers.read()).rejects.toThrow()
  expect(String(answers.answer('/status', 'en-US')?.body)).toContain('<h1>Not known at the moment</h1>')
  await sql`alter table status_page_away rename to status_page`.execute(db)

  const answer = await page('/status', 'zh')
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'public, max-age=30'])
  expect(await answer.text()).toContain('lang="zh-CN"')
  expect((await page('/status/nothing')).status).toBe(404)
  const folder = mkdtempSync(join(tmpdir(), 'atoll-status-'))
  const files = await publishStatus(db, { folder, product: 'Atoll', publicUrl: 'http://atoll.test' })
  expect(readdirSync(folder).sort()).toEqual([...files].sort())
  rmSync(folder, { recursive: true })
})
