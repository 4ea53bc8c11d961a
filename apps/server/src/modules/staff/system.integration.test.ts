/** How the deployment fares, and jobs and mails that staff see to. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { auditPage } from '@atoll/contract/audit'
import {
  catalogApply,
  catalogShow,
  jobDiscard,
  jobRetry,
  mailResend,
  ownBackupRun,
  systemShow,
} from '@atoll/contract/staff'
import { codes } from '@atoll/contract/wire'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../authorization/testing/test-app.ts'
import { systemClock } from '../../platform/clock.ts'
import { enqueueJob } from '../../platform/jobs/index.ts'
import { findApplied, hashOfCatalog } from '../catalog/applied-store.ts'
import { adoptFile } from '../catalog/apply-catalog.ts'
import { readCatalogInUse, readCatalogText } from '../catalog/index.ts'
import { limitsAct, planAsked } from './acts/limits-act.ts'
import { catalogRoutes } from './routes/catalog-routes.ts'
import { createOperator, type Operator } from './testing/operator.ts'

let app: TestApp
let operator: Operator
beforeAll(async () => {
  app = await openTestApp()
  operator = await createOperator(app)
})
afterAll(() => app[Symbol.asyncDispose]())

async function failedJob(name: string): Promise<string> {
  await enqueueJob(app.database.db, name, {}, { maxAttempts: 1 })
  const { rows } = await app.database.pool.query<{ id: string }>(
    `update graphile_worker._private_jobs set attempts = 1, last_error = 'no room\nat line 1'
     where attempts = 0 and locked_by is null
       and task_id = (select id from graphile_worker._private_tasks where identifier = $1) returning id::text`,
    [name],
  )
  return rows[0]?.id ?? ''
}

test('a job that was given up is retried or discarded with a reason, each recorded', async () => {
  const [retried, discarded] = [await failedJob('vault.one'), await failedJob('mail.two')]
  const before = await operator.api.ask(systemShow, {})
  expect(before.failedJobs).toMatchObject([
    { jobId: discarded, area: 'mail', problem: 'no room', attempts: 1 },
    { jobId: retried, area: 'other' },
  ])
  expect(before.queues.find(({ area }) => area === 'mail')).toMatchObject({ failed: 1 })
  expect((await operator.api.send(jobRetry, { jobId: retried })).code).toBe(codes.ok)
  expect((await operator.api.send(jobDiscard, { jobId: discarded, reason: 'over long ago' })).code).toBe(codes.ok)
  expect((await operator.api.ask(systemShow, {})).failedJobs).toEqual([])
  // Neither is there to be seen to again.
  for (const jobId of [retried, discarded])
    expect((await operator.api.send(jobRetry, { jobId })).code).toBe(codes.conflict)
  const { records } = await operator.api.ask(auditPage, { kind: 'system' })
  expect(records.map(({ action, after }) => [action, after])).toEqual([
    ['system.discardJob', { job: 'mail.two', reason: 'over long ago' }],
    ['system.retryJob', { job: 'vault.one' }],
  ])
})

test('a mail that was refused is sent again as long as what it says is known', async () => {
  const insert = (id: string, params: string | null) =>
    app.database.pool.query(
      `insert into mails (id, userid, kind, recipient, locale, params, state, failure, attempts, created_at, usable_until,
         ended_at)
       values ($1, $2, 'billing', 'lena@example.com', 'en-US', $3, 'failed', '552 full', 1, now(), now(), now())`,
      [id, operator.userid, params],
    )
  await insert('ml_00000000000000a1', 'sealed')
  await insert('ml_00000000000000a2', null)
  const { mail } = await operator.api.ask(systemShow, {})
  expect(mail.undelivered.map(({ mailId, canResend }) => [mailId, canResend])).toEqual(
    expect.arrayContaining([
      ['ml_00000000000000a1', true],
      ['ml_00000000000000a2', false],
    ]),
  )
  expect((await operator.api.send(mailResend, { mailId: 'ml_00000000000000a1' })).code).toBe(codes.ok)
  expect((await operator.api.send(mailResend, { mailId: 'ml_00000000000000a2' })).code).toBe(codes.conflict)
  const { rows } = await app.database.pool.query(`select state, usable_until > now() as usable from mails order by id`)
  expect(rows).toEqual([
    { state: 'waiting', usable: true },
    { state: 'failed', usable: false },
  ])
  // One that is tried still, a code perhaps, is of use no longer than before.
  await app.database.pool.query(
    `update mails set state = 'delayed', ended_at = null, usable_until = now() + interval '1 minute'
     where id = 'ml_00000000000000a1'`,
  )
  expect((await operator.api.send(mailResend, { mailId: 'ml_00000000000000a1' })).code).toBe(codes.ok)
  const still = await app.database.pool.query(`select from mails where usable_until > now() + interval '1 hour'`)
  expect(still.rowCount).toBe(0)
  // No schedule is set here: the button would wait for a job that no worker has.
  expect((await operator.api.send(ownBackupRun, {})).code).toBe(codes.conflict)
})

test('a catalogue that no process could start with is neither offered nor applied', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-catalog-'))
  const catalogFile = join(folder, 'catalog.yaml')
  const { db } = app.database
  const shipped = readFileSync(fileURLToPath(new URL('../../../../../catalog.yaml', import.meta.url)), 'utf8')
  writeFileSync(catalogFile, shipped)
  await adoptFile({ db, clock: systemClock }, catalogFile)
  const was = await findApplied(db)
  // Its instances would call themselves.
  const lxd =
    'driver: lxd\n    lxd: { endpoints: [/nowhere.socket], network: lxdbr0, controlUrl: "http://127.0.0.1:1" }'
  writeFileSync(catalogFile, shipped.replace('driver: process', lxd))
  const to = hashOfCatalog(await readCatalogText(catalogFile))
  const config = { catalogFile, catalogApply: 'asked', controlUrl: 'http://127.0.0.1:1' } as const
  const routes = catalogRoutes({ db, clock: systemClock, config })
  // Neither handler looks at more of who calls.
  const ask = async (call: object, body: object) =>
    await routes.find((route) => route.call === call)?.handle(body, { account: operator } as never)
  expect(await ask(catalogShow, {})).toMatchObject({ change: null, problem: expect.stringContaining('cannot reach') })
  await expect(ask(catalogApply, { from: was?.hash, to })).rejects.toMatchObject({ key: 'catalogBroken' })
  expect((await findApplied(db))?.number).toBe(was?.number)
  // Limits are put into the one in use, once what was shown is approved.
  const shown = { cloudName: 'bay', regionId: 'bay', cpu: 5, memory: 1, disk: 1.5 }
  const limits = limitsAct({ config })
  const plan = await planAsked({ config }, db, shown)
  expect(plan.change.difference).toMatch(/^\+ .*cpu: 5/m)
  const by = {
    caller: { ...operator, sessionId: '', role: 'User', ip: '' },
    now: new Date(),
    reason: 'more',
    approval: 'x',
  }
  const perform = (from: string) =>
    db.transaction().execute((trx) => limits.perform(trx, { ...shown, from } as never, by as never))
  await expect(perform('b'.repeat(64))).rejects.toMatchObject({ key: 'catalogChanged' })
  await perform(plan.change.from)
  const { clouds } = await readCatalogInUse(db, config)
  expect(clouds.find((each) => each.cloudName === 'bay')?.regions[0]?.overcommit).toEqual({
    cpu: 5,
    memory: 1,
    disk: 1.5,
  })
  expect((await planAsked({ config }, db, shown)).change.difference).toBe('')
  rmSync(folder, { recursive: true })
})
