/** The console while the server does not answer: a waiting page says so, and one press is one request. */
import { emailShow, sessionList } from '@atoll/contract/accounts'
import { auditPage } from '@atoll/contract/audit'
import {
  type ClusterStatus,
  clusterPasswordReset,
  clusterStart,
  instanceDetails,
  instanceList,
  operationCancel,
  resourceInitNew,
  resourceList,
  selfHostCommand,
} from '@atoll/contract/clusters'
import { codes, eventsPath } from '@atoll/contract/wire'
import { statusLabels } from '@atoll/texts/statuses'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleTab } from '../stack/console-tab.ts'
import { sampleAnswers } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { envelope } from '../stack/scripted-console.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const clusterOf = (status: string) => {
  const cluster = sampleClusters.find((candidate) => candidate.status === status)
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}
const [running, stopped, awaited] = [clusterOf('running'), clusterOf('stopped'), clusterOf('queuing')]
const network = 'Network error, please try again later'
const timesAsked = (path: string) => server.asked.filter((asked) => asked === path).length

/** The keys of the requests to `path` that leave the page from now on. */
function keysSent(page: Page, path: string): (string | null)[] {
  const keys: (string | null)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path)
      keys.push(new URLSearchParams(request.postData() ?? '').get('requestId'))
  })
  return keys
}

describe('what did not load', () => {
  it.each([
    ['/', resourceInitNew.path],
    [`/cluster/${running.clusterId}`, resourceInitNew.path],
    [`/cluster/${running.clusterId}`, instanceDetails.path],
    ['/instance', instanceList.path],
    ['/create', resourceInitNew.path],
    ['/profile', emailShow.path],
    ['/sessions', sessionList.path],
    ['/activity', auditPage.path],
  ])('on %s says so while %s is asked for again and again, until it is there', async (address, path) => {
    server.breakdown = (asked) => ([path, eventsPath].includes(asked) ? { status: 500, body: '' } : undefined)
    const { page, app } = await openTab()
    await page.clock.install()
    await page.goto(address)
    const failure = page.getByRole('main').getByRole('alert').filter({ hasText: network })
    await failure.waitFor()
    await page.evaluate(`{
      globalThis.timesGone = 0
      new MutationObserver(() => {
        if (!document.querySelector('main')?.textContent.includes(${JSON.stringify(network)})) globalThis.timesGone += 1
      }).observe(document.body, { subtree: true, childList: true })
    }`)
    // Nothing publishes changes, so that everything is asked for every 3 s, and what fails twice more each time.
    const before = timesAsked(path)
    await expect
      .poll(async () => {
        await page.clock.fastForward(3100)
        return timesAsked(path)
      })
      .toBeGreaterThan(before + 3)
    expect(await page.evaluate('globalThis.timesGone')).toBe(0)
    server.breakdown = undefined
    await expect
      .poll(async () => {
        await page.clock.fastForward(3100)
        return await app.button(app.t('failure.retry')).count()
      })
      .toBe(0)
  })

  it('shows that it is asked for by a press, and keeps focus where it was when that is in vain', async () => {
    server.breakdown = (asked) => (asked === eventsPath ? undefined : { status: 200, body: envelope(codes.conflict) })
    const { page, app } = await openTab({}, '/sessions')
    const retry = app.button(app.t('failure.retry'))
    await retry.waitFor()
    const answer = Promise.withResolvers<void>()
    await page.route(`**${sessionList.path}`, async (route) => {
      await answer.promise
      await route.continue()
    })
    await retry.press('Enter')
    await expect.poll(() => retry.getAttribute('aria-busy')).toBe('true')
    answer.resolve()
    await expect.poll(() => retry.getAttribute('aria-busy')).toBe('false')
    expect(await page.evaluate('document.activeElement.textContent')).toContain(app.t('failure.retry'))
  })
})

describe('an action that was chosen in the palette while the line is cut', () => {
  async function start({ page, app }: ConsoleTab) {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: app.t('palette.name') }).fill(`${app.t('action.start')} ${stopped.name}`)
    await page.keyboard.press('Enter')
    await page.getByRole('combobox').waitFor({ state: 'hidden' })
  }
  async function cutLine() {
    const tab = await openTab({}, '/')
    const { page, app } = tab
    await app.card(stopped.name).waitFor()
    const keys = keysSent(page, clusterStart.path)
    await page.route(`**${clusterStart.path}`, (route) => route.abort())
    const trouble = page.getByRole('alert').getByText(network, { exact: true })
    return { ...tab, tab, keys, trouble }
  }

  it('is shown, and done once when the line is back, however often it was chosen', async () => {
    const { tab, page, keys, trouble } = await cutLine()
    await start(tab)
    await trouble.waitFor()
    await start(tab)
    expect(keys.length).toBeGreaterThan(1)
    expect(await trouble.count()).toBe(1)
    await page.unroute(`**${clusterStart.path}`)
    await expect.poll(() => timesAsked(clusterStart.path)).toBe(1)
    await trouble.waitFor({ state: 'hidden' })
    expect(new Set(keys).size).toBe(1)
    expect(timesAsked(clusterStart.path)).toBe(1)
  })

  it('is not done any more when its toast is closed', async () => {
    const { tab, page, app, keys, trouble } = await cutLine()
    await page.clock.install()
    await start(tab)
    await expect
      .poll(async () => {
        await page.clock.fastForward(1000)
        return await trouble.count()
      })
      .toBe(1)
    await app.button(app.t('failure.close')).click()
    await trouble.waitFor({ state: 'hidden' })
    const sent = keys.length
    await page.unroute(`**${clusterStart.path}`)
    await page.clock.fastForward(30_000)
    // Any request sent by then was sent before this.
    await page.evaluate(`fetch('/config.json')`)
    expect(keys).toHaveLength(sent)
    expect(await trouble.count()).toBe(0)
  })
})

it.each([502, 504])(
  'a server away behind a proxy that says %i is waited out, and its card says why meanwhile',
  async (status) => {
    server.breakdown = (path) => (path === clusterStart.path ? { status, body: '<html>' } : undefined)
    const { page, app } = await openTab({}, '/')
    const card = app.card(stopped.name)
    const keys = keysSent(page, clusterStart.path)
    await app.action('start', stopped.name).click()
    const why = card.getByRole('alert').getByText(network, { exact: true })
    await why.waitFor()
    server.breakdown = undefined
    await why.waitFor({ state: 'hidden' })
    expect(keys.length).toBeGreaterThan(1)
    expect(new Set(keys).size).toBe(1)
  },
)

it('an action whose answer was lost is the same request until its cluster changed, and then another', async () => {
  const { page, app } = await openTab({}, '/')
  const card = app.card(stopped.name)
  const keys = keysSent(page, clusterStart.path)
  const start = app.action('start', stopped.name)
  async function startInVain() {
    await start.click()
    await card.getByRole('alert').getByText(network, { exact: true }).waitFor()
    await app.button(app.t('failure.close'), card).click()
  }
  /** The cluster is in `status` when the console asks the next time, which the end of its stream makes it do. */
  async function become(status: ClusterStatus) {
    const clusters = sampleClusters.map((known) => (known === stopped ? { ...known, status } : known))
    server.answers.set(resourceList, clusters)
    server.endStreams()
    await card.getByText(statusLabels['en-US'][status], { exact: true }).waitFor()
  }
  server.breakdown = (path) => (path === clusterStart.path ? { status: 500, body: '' } : undefined)
  await startInVain()
  await startInVain()
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
  // It was done all the same, and undone later.
  await become('running')
  await become('stopped')
  await startInVain()
  expect(keys[2]).not.toBe(keys[0])
})

it('an answer that comes late does not take back what the page has received since', async () => {
  const { page, app } = await openTab({}, '/')
  const answers = (status: 'starting' | 'running') =>
    new Map([
      ...sampleAnswers(sampleClusters.map((known) => (known === stopped ? { ...known, status } : known))),
      [clusterStart, { status: 'starting' }],
    ])
  const shown = (status: 'starting' | 'running') =>
    app.card(stopped.name).getByText(statusLabels['en-US'][status], { exact: true }).first()
  const late = Promise.withResolvers<void>()
  await page.route(`**${clusterStart.path}`, async (route) => {
    const response = await route.fetch()
    await late.promise
    await route.fulfill({ response })
  })
  server.answers = answers('starting')
  await app.action('start', stopped.name).click()
  server.endStreams()
  await shown('starting').waitFor()
  server.answers = answers('running')
  server.endStreams()
  await shown('running').waitFor()
  // From here on only the late answer can change the card.
  const asked = page.waitForRequest(`**${resourceList.path}`)
  await page.route(`**${resourceList.path}`, () => new Promise(() => undefined))
  late.resolve()
  await asked
  expect(await shown('running').count()).toBe(1)
  expect(await shown('starting').count()).toBe(0)
})

it('a command for a machine whose answer was lost is the same one when it is asked for again', async () => {
  const { page, app } = await openTab({}, `/cluster/${awaited.clusterId}`)
  const keys = keysSent(page, selfHostCommand.path)
  const show = app.button(app.t('join.show'))
  let isCut = true
  await page.route(`**${selfHostCommand.path}`, async (route) => {
    const response = await route.fetch()
    if (isCut) await route.abort()
    else await route.fulfill({ response })
  })
  await show.click()
  await expect.poll(() => keys.length).toBeGreaterThan(1)
  isCut = false
  await app.button(app.t('join.copy')).waitFor()
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(keys).size).toBe(1)
  // After an answer, asking again is another request.
  const renewed = page.waitForResponse(`**${selfHostCommand.path}`)
  await app.button(app.t('join.renew')).click()
  await (await renewed).finished()
  expect(new Set(keys).size).toBe(2)
})

describe('a question that is asked again', () => {
  it.each([
    ['the end of an operation', `/cluster/${running.clusterId}`, operationCancel, 'action.cancel'],
    ['a new password', `/cluster/${running.clusterId}?tab=access`, clusterPasswordReset, 'access.reset'],
  ] as const)('about %s does not say why the last try failed', async (_what, address, call, label) => {
    const { page, app } = await openTab({}, address)
    server.breakdown = (path) =>
      path === call.path ? { status: 200, body: envelope(codes.conflict, 'The lagoon is closed.') } : undefined
    const dialog = page.getByRole('dialog')
    const ask = app.button(app.t(label), page.getByRole('main')).last()
    await ask.click()
    await dialog.getByRole('button').last().click()
    await dialog.getByRole('alert').getByText('The lagoon is closed.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await ask.click()
    await dialog.waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
  })
})
