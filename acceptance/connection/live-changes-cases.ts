/**
 * The screen stays complete: after a reload, a connection that was cut, and a server that was killed. Acts pressed
 * meanwhile happen once.
 */
import { randomBytes } from 'node:crypto'
import {
  clusterInstallLog,
  clusterStart,
  clusterStop,
  createCluster,
  destroyMaster,
  InstallLog,
  type Resource,
} from '@atoll/contract/clusters'
import { eventsPath } from '@atoll/contract/wire'
import {
  chooseServerPorts,
  createTestDatabase,
  type ServerProcess,
  startServer,
  type TestDatabase,
  until,
} from '@atoll/testkit'
import { statusLabels } from '@atoll/texts/statuses'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, launchBrowser, openScreen } from '../stack/browser.ts'
import { composeOrder, createRunningCluster, listOperations, waitForStatus } from '../stack/clusters.ts'
import { type CuttableLine, openLine } from '../stack/faults/cuttable-line.ts'
import { createPerson, type Person } from '../stack/people.ts'
import { holdSession } from '../stack/signed-in.ts'
import { consoleTexts } from '../stack/texts.ts'

const t = consoleTexts('en-US')
let database: TestDatabase
let env: Record<string, string>
/** Everything but the worker: nothing happens to a cluster until one is started. */
let server: ServerProcess
let worker: ServerProcess | undefined
/** The page's way to the server. */
let line: CuttableLine
let url: string
let browser: Browser
let person: Person
let page: Page
/** `Last-Event-ID` of each event stream the page opened; null without one. */
let opened: (string | null)[]

beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  const ports = await chooseServerPorts()
  line = await openLine(ports.console)
  url = `http://localhost:${line.port}`
  env = {
    DATABASE_URL: database.url,
    ATOLL_SECRET_KEY: randomBytes(32).toString('base64url'),
    ATOLL_PUBLIC_URL: url,
    ATOLL_CONTROL_URL: `http://127.0.0.1:${ports.console}`,
  }
  ;[server, browser] = await Promise.all([startServer({ env, roles: ['api', 'edge'], ports }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await line?.[Symbol.asyncDispose]()
  await server?.dispose()
  await database?.drop()
})
beforeEach(async () => {
  person = await createPerson(server.url)
  const screen = await openScreen(browser, { locale: 'en-US', viewport: desktop })
  page = screen.page
  await holdSession(screen.context, person.session)
  opened = []
  page.on('request', (request) => {
    if (request.url().endsWith(eventsPath)) opened.push(request.headers()['last-event-id'] ?? null)
  })
  return async () => {
    await screen.context.close()
    await worker?.dispose()
    worker = undefined
  }
})

/**
 * `received`: the page got `hello` on its stream of changes, and can name from then on what it saw last. For a page to
 * be opened.
 */
async function listenForHello(): Promise<{ received: Promise<void> }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const { promise: received, resolve } = Promise.withResolvers<void>()
  let stream: string | undefined
  let text = ''
  const take = (data = '') => {
    text += Buffer.from(data, 'base64').toString()
    if (text.includes('"hello"')) resolve()
  }
  devtools.on('Network.responseReceived', async ({ requestId, response }) => {
    if (!response.url.endsWith(eventsPath) || stream) return
    stream = requestId
    take((await devtools.send('Network.streamResourceContent', { requestId })).bufferedData)
  })
  devtools.on('Network.dataReceived', ({ requestId, data }) => requestId === stream && take(data))
  return { received }
}

/** Orders a cluster that nobody makes yet, and opens its page; returns when the page is live. */
async function watchOrder(): Promise<string> {
  const { clusterId } = await person.api.ask(createCluster, await composeOrder(person.api))
  const { received } = await listenForHello()
  await page.goto(`${url}/cluster/${clusterId}`)
  await page.getByText(statusLabels['en-US'].fetching, { exact: true }).first().waitFor()
  await received
  return clusterId
}
async function startWorker(): Promise<void> {
  worker = await startServer({ env, roles: ['worker'], dataDir: server.dataDir })
}

const log = () => page.getByRole('log').first()
/** Lines on the screen; none before there is a log. */
async function shownLines(): Promise<number> {
  if (!(await log().isVisible())) return 0
  const text = await log().innerText()
  return text.split('\n').filter((each) => each.includes(':')).length
}
const wholeLog = async ({ clusterId }: Resource) => {
  const { installLog } = await person.api.ask(clusterInstallLog, { clusterId })
  return InstallLog.parse(JSON.parse(installLog)).flatMap(({ lines }) => lines)
}

/** The page shows how the install ended and every line of it, where it is kept. */
async function expectComplete(clusterId: string): Promise<void> {
  const cluster = await waitForStatus(person.api, clusterId, ['inactivated'])
  const label = statusLabels['en-US'].inactivated
  await page.getByText(label, { exact: true }).first().waitFor()
  const history = t('detail.tabHistory')
  const tab = page.getByRole('link', { name: history }).or(page.getByRole('tab', { name: history }))
  await tab.first().click()
  const messages = (await wholeLog(cluster)).map((line) => line.split(' ').slice(2).join(' '))
  expect(messages.length).toBeGreaterThan(5)
  await until('every line is shown', async () => {
    const text = await log().innerText()
    return messages.every((message) => text.includes(message))
  })
}

/** A test of the file that calls it: the page goes on where it was. */
export function testCutConnection(): void {
  it('after its connection was cut for a whole install, it goes on where it was', async () => {
    const clusterId = await watchOrder()
    line.cut()
    await startWorker()
    await waitForStatus(person.api, clusterId, ['inactivated'])
    line.mend()
    await expectComplete(clusterId)
    expect(opened[0]).toBeNull()
    expect(opened.length).toBeGreaterThan(1)
    expect(opened.slice(1).every((id) => Number(id) > 0)).toBe(true)
  })
}

/** A test of the file that calls it: the page goes on where it was. */
export function testKilledServer(): void {
  it('after the server was killed in the middle of an install and started again', async () => {
    const clusterId = await watchOrder()
    await startWorker()
    await until('the install is seen', async () => (await shownLines()) > 0, { intervalMs: 10 })
    await server.restart()
    await expectComplete(clusterId)
    await until('the stream was resumed', () => opened.some((id) => Number(id) > 0))
  })
}

/** A test of the file that calls it: the page goes on where it was. */
export function testReload(): void {
  it('after it was loaded again', async () => {
    const clusterId = await watchOrder()
    await startWorker()
    await page.reload()
    await expectComplete(clusterId)
  })
}

/** A cluster that is stopped, on the home page; `start` presses its button. */
async function showStopped() {
  await startWorker()
  const { clusterId, name } = await createRunningCluster(person.api)
  await person.api.ask(clusterStop, { clusterId })
  await waitForStatus(person.api, clusterId, ['stopped'])
  const app = consoleApp(page, 'en-US')
  await page.goto(url)
  await app.waitForStatus(name, 'stopped')
  return {
    clusterId,
    name,
    app,
    start: () => app.act(name, 'start'),
    async expectStartedOnce() {
      await app.waitForStatus(name, 'inactivated')
      const starts = (await listOperations(person.api, clusterId)).filter(({ kind }) => kind === 'start')
      expect(starts.map(({ state }) => state)).toEqual(['done'])
    },
  }
}

/** A test of the file that calls it: an action is done when the server is back. */
export function testServerAway(): void {
  it('starts a cluster when the server is back that was away when its button was pressed', async () => {
    const stopped = await showStopped()
    line.cut()
    const refused = page.waitForEvent('requestfailed', (request) => request.url().endsWith(clusterStart.path))
    await stopped.start()
    await refused
    line.mend()
    await stopped.expectStartedOnce()
  })
}

/** A test of the file that calls it: an action is done once. */
export function testLostAnswer(): void {
  it('starts it once when the answer was lost on the way', async () => {
    const stopped = await showStopped()
    const answers: string[] = []
    await page.route(`**${clusterStart.path}`, async (route) => {
      const answer = await route.fetch()
      answers.push(await answer.text())
      await (answers.length === 1 ? route.abort('connectionreset') : route.fulfill({ response: answer }))
    })
    await stopped.start()
    await stopped.expectStartedOnce()
    expect(answers).toHaveLength(2)
    expect(answers[1]).toBe(answers[0])
  })
}

/** A test of the file that calls it: an action that was taken back is not done. */
export function testTakenBack(): void {
  it('does not destroy what its owner keeps after all, while the server is away', async () => {
    const { clusterId, name, app } = await showStopped()
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith(destroyMaster.path)) asked += 1
    })
    await app.button(t('common.more', { name }), app.card(name)).click()
    await page.getByRole('menuitem', { name: t('action.destroyMaster') }).click()
    const question = app.dialog(t('dialog.destroyTitle', { name }))
    await question.getByRole('textbox').fill(name)
    line.cut()
    await app.button(t('dialog.destroyDo'), question).click()
    await question.getByText(t('failure.network'), { exact: true }).waitFor()
    await app.button(t('dialog.destroyKeep'), question).click()
    await question.waitFor({ state: 'hidden' })
    const before = asked
    line.mend()
    // Takes longer than what was between two tries.
    await person.api.ask(clusterStart, { clusterId })
    await app.waitForStatus(name, 'inactivated')
    expect(asked).toBe(before)
  })
}
