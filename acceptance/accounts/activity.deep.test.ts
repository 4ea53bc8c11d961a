/** An Admin by the operator's command, whose clusters who sees, and the log of it all. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createCluster, destroyMaster } from '@atoll/contract/clusters'
import type { Locale } from '@atoll/contract/wire'
import { operatorProgram, type ServerProcess, startServer, until } from '@atoll/testkit'
import { auditKindLabel, auditSentence } from '@atoll/texts/audit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { desktop, keepPicture, launchBrowser, openScreen, phone } from '../stack/browser.ts'
import { composeOrder, waitUntilGone } from '../stack/clusters.ts'
import { createPerson, type Person } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { consoleTexts } from '../stack/texts.ts'

let server: ServerProcess
let browser: Browser
let owner: Person
let admin: Person
let clusterId: string

beforeAll(async () => {
  // The plan of a new account includes 2 vCPU, less than one cluster needs.
  ;[server, browser] = await Promise.all([startServer({ env: { ATOLL_VCPU_QUOTA: '2' } }), launchBrowser()])
  ;[owner, admin] = await Promise.all([createPerson(server.url), createPerson(server.url)])
  await runAdmin('quota', owner.name ?? '', '16')
  ;({ clusterId } = await owner.api.ask(createCluster, await composeOrder(owner.api, { name: 'Rangiroa' })))
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

/** The operator's command, as typed on the server's machine while the server runs. */
async function runAdmin(...args: string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], ATOLL_DATA_DIR: server.dataDir }
  return (await promisify(execFile)(process.execPath, [operatorProgram('admin/admin.ts'), ...args], { env })).stdout
}

async function openConsole(person: Person, locale: Locale, path: string, viewport = desktop) {
  const screen = await openScreen(browser, { locale, viewport })
  await holdSession(screen.context, person.session)
  await screen.page.goto(server.url + path)
  return { ...screen, t: consoleTexts(locale), [Symbol.asyncDispose]: () => screen.context.close() }
}

it('an Admin sees everybody’s clusters as soon as the operator says so, and nobody’s as soon as not', async () => {
  await using screen = await openConsole(admin, 'en-US', '/')
  const { page, t } = screen
  const card = page.getByRole('article', { name: 'Rangiroa', exact: true })
  await page.getByRole('heading', { name: t('home.emptyTitle').split('\n')[0] ?? '' }).waitFor()
  expect(await card.count()).toBe(0)
  await runAdmin('grant', admin.name ?? '')
  await card.waitFor()
  const filter = page.getByRole('button', {
    name: t('common.labelled', { label: t('home.filterUsers'), value: t('home.allUsers') }),
  })
  await filter.click()
  await page.getByRole('menuitemradio', { name: admin.name ?? '' }).click()
  await page.getByText(t('home.noneOfUser')).waitFor()
  await runAdmin('revoke', admin.name ?? '')
  await page.getByRole('heading', { name: t('home.emptyTitle').split('\n')[0] ?? '' }).waitFor()
  await runAdmin('grant', admin.name ?? '')
  expect(screen.complaints).toEqual([])
})

it('the operator’s quota and permission are what the console says at once', async () => {
  await runAdmin('quota', owner.name ?? '', 'plan')
  const order = await composeOrder(owner.api)
  expect(await owner.api.send(createCluster, order)).toMatchObject({
    code: 409,
    message: expect.stringMatching(/4 of your 2 vCPU/),
  })
  await runAdmin('allow-create', owner.name ?? '', 'no')
  await using screen = await openConsole(owner, 'en-US', '/create')
  await screen.page.getByText('Unfortunately, you do not have permission to create an Atoll.').first().waitFor()
  await runAdmin('allow-create', owner.name ?? '', 'yes')
  await runAdmin('quota', owner.name ?? '', '16')
})

it('what an Admin did stands in the owner’s log, with the Admin’s name and without where from', async () => {
  await admin.api.ask(destroyMaster, { clusterId, confirm: true })
  await waitUntilGone(owner.api, clusterId)
  await using screen = await openConsole(owner, 'en-US', '/activity')
  const { page, t } = screen
  const sentence = auditSentence('cluster.destroy', 'en-US').replace('{name}', 'Rangiroa')
  const line = page.getByRole('row').filter({ hasText: sentence })
  await line.waitFor()
  expect(await line.innerText()).toContain(admin.name)
  expect(await line.innerText()).not.toContain('127.0.0.1')

  // By kind, then by one object.
  await page
    .getByRole('button', {
      name: t('common.labelled', { label: t('activity.filterKind'), value: t('activity.allKinds') }),
    })
    .click()
  await page.getByRole('menuitemradio', { name: auditKindLabel('cluster', 'en-US') }).click()
  expect(await page.getByText(clusterId).count()).toBe(0)
  await page.getByRole('button', { name: sentence }).click()
  await page.getByText(clusterId).waitFor()
  await page.getByRole('button', { name: t('activity.onlyObject', { name: 'Rangiroa' }), exact: true }).click()
  await until('only the cluster is left', async () => (await page.locator('tbody > tr:not([class])').count()) === 2)
  await keepPicture(page, 'activity-en-US')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: t('table.export') }).click(),
  ])
  const csv = readFileSync(await download.path(), 'utf8')
  expect(csv.split('\r\n').map((each) => each.split(',')[6])).toEqual([
    '"action"',
    '"cluster.destroy"',
    '"cluster.create"',
    undefined,
  ])
  expect(screen.complaints).toEqual([])
})

it('the log fits a phone, in Chinese', async () => {
  await using screen = await openConsole(admin, 'zh-CN', '/activity', phone)
  const { page, t } = screen
  await page.getByRole('heading', { name: t('activity.title') }).waitFor()
  await page.getByText(auditSentence('cluster.destroy', 'zh-CN').replace('{name}', 'Rangiroa')).first().waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(phone.width)
  expect(await findBarriers(page)).toEqual([])
  await keepPicture(page, 'activity-zh-CN-390')
  expect(screen.complaints).toEqual([])
})
