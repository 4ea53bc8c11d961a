/** The charts of a cluster: when they are asked for, and what keyboards and screen readers get of them. */
import { readFile } from 'node:fs/promises'
import { clusterMonitor, resourceList } from '@atoll/contract/clusters'
import type { MonitorRange } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findBarriers } from '../stack/accessibility.ts'
import { desktop, phone } from '../stack/browser.ts'
import { sampleSession } from '../stack/samples/sample-account.ts'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { sampleMonitor } from '../stack/samples/sample-monitor.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab } = shareConsole()
const clusterOf = (status: string) => {
  const cluster = sampleClusters.find((candidate) => candidate.status === status)
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}
const [running, stopped] = [clusterOf('running'), clusterOf('stopped')]
const timesAsked = () => server.asked.filter((path) => path === clusterMonitor.path).length
const chart = (page: Page, name: string) => page.getByRole('slider', { name, exact: true })

/** Puts the tab behind another one, or before it. */
async function show(page: Page, state: 'hidden' | 'visible') {
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
}

/** Has whatever was sent before answered. */
async function settle(page: Page) {
  await page.evaluate(`fetch('/config.json').then((answer) => answer.text())`)
}

async function openCharts(clusterId = running.clusterId, range: MonitorRange = '12h') {
  const tab = await openTab()
  await tab.page.clock.install()
  await tab.page.goto(`/cluster/${clusterId}?tab=monitoring&range=${range}`)
  return tab
}

describe('readings are asked for', () => {
  it('every 30 s while the tab is visible, and not behind another tab', async () => {
    const { page } = await openCharts()
    await chart(page, 'CPU').waitFor()
    expect(timesAsked()).toBe(1)
    await page.clock.fastForward(31_000)
    await expect.poll(timesAsked).toBe(2)
    await settle(page)
    await show(page, 'hidden')
    await page.clock.fastForward(300_000)
    await settle(page)
    expect(timesAsked()).toBe(2)
    await show(page, 'visible')
    await expect.poll(timesAsked).toBe(3)
  })

  it('of seven days every 120 s', async () => {
    const { page } = await openCharts(running.clusterId, '7d')
    await chart(page, 'CPU').waitFor()
    await page.clock.fastForward(100_000)
    await settle(page)
    expect(timesAsked()).toBe(1)
    await page.clock.fastForward(21_000)
    await expect.poll(timesAsked).toBe(2)
  })

  it('once while an answer is awaited, whatever wakes the page', async () => {
    const answer = Promise.withResolvers<void>()
    server.wait = (path) => (path === clusterMonitor.path ? answer.promise : undefined)
    const { page } = await openCharts()
    await expect.poll(timesAsked).toBe(1)
    await show(page, 'hidden')
    await show(page, 'visible')
    await page.evaluate(`dispatchEvent(new Event('online'))`)
    await settle(page)
    expect(timesAsked()).toBe(1)
    answer.resolve()
    await chart(page, 'CPU').waitFor()
    expect(timesAsked()).toBe(1)
  })

  it('not of a cluster that does not run, which the page says', async () => {
    const { page, app } = await openCharts(stopped.clusterId)
    await page.getByText(app.t('monitoring.missingRunning', { status: 'Stopped' }), { exact: true }).waitFor()
    await page.clock.fastForward(120_000)
    await settle(page)
    expect(timesAsked()).toBe(0)
  })

  it('no longer once it stops; measured values stay', async () => {
    const { page, app } = await openCharts()
    await chart(page, 'CPU').waitFor()
    const now = sampleClusters.map((known) =>
      known === running ? { ...known, status: 'stopped' as const, clusterStatus: 'stopped' as const } : known,
    )
    server.answers.set(resourceList, now)
    server.endStreams()
    await page.getByText(app.t('monitoring.missingText'), { exact: true }).waitFor()
    expect(await chart(page, 'CPU').count()).toBe(1)
    const before = timesAsked()
    await page.clock.fastForward(120_000)
    await settle(page)
    expect(timesAsked()).toBe(before)
  })
})

/** Has the server, and what it measured, at `iso`; this machine's clock is elsewhere. */
function setServerClock(iso: string) {
  const now = Date.parse(iso)
  server.now = () => now
  server.answers.set(clusterMonitor, (fields: URLSearchParams) => sampleMonitor(fields, now))
}
const openZone = async (timeZone: string, range: MonitorRange) => {
  // Signed in for as long as that clock says.
  const accounts = [sampleSession({ expired: Date.now() + 7 * 86_400_000 })]
  const tab = await openTab({ timeZone, accounts }, `/cluster/${running.clusterId}?tab=monitoring&range=${range}`)
  await chart(tab.page, 'CPU').waitFor()
  return tab
}

it.each([
  ['23', '2026-03-30T10:00:00Z', ['28 Mar', '29 Mar', '30 Mar']],
  ['25', '2026-10-26T11:00:00Z', ['24 Oct', '25 Oct', '26 Oct']],
])('a day of %s hours is as wide as it is long, and has a row for each of its quarters', async (hours, end, days) => {
  setServerClock(end)
  const { page, app } = await openZone('Europe/Berlin', '3d')
  const places = await Promise.all(
    days.map(async (day) => Number(await chart(page, 'CPU').locator('text', { hasText: day }).getAttribute('x'))),
  )
  const [first = 0, second = 0, third = 0] = places
  expect((third - second) / (second - first)).toBeCloseTo(Number(hours) / 24, 6)
  await app.button(app.t('monitoring.showTable', { chart: 'CPU' })).click()
  const table = page.getByRole('region', { name: app.t('monitoring.tableOf', { chart: 'CPU' }), exact: true })
  expect(await table.getByRole('rowheader', { name: new RegExp(`^${days[1]}, `) }).count()).toBe(4 * Number(hours))
  // An hour that was skipped has no row; one that came twice is distinguished.
  const two = await table.getByRole('rowheader', { name: new RegExp(`^${days[1]}, 02:00`) }).allTextContents()
  expect(two).toEqual(hours === '23' ? [] : ['25 Oct, 02:00 +01:00', '25 Oct, 02:00 +02:00'])
})

it.each([-1, 1])('a server whose clock is %d day off has its readings drawn whole, by its clock', async (days) => {
  setServerClock(new Date(Date.now() + days * 86_400_000).toISOString())
  const { page, app } = await openZone('UTC', '12h')
  await app.button(app.t('monitoring.showTable', { chart: 'CPU' })).click()
  const table = page.getByRole('region', { name: app.t('monitoring.tableOf', { chart: 'CPU' }), exact: true })
  // The sample is silent for a twentieth of its steps.
  const silent = await table.getByText(app.t('monitoring.noReading'), { exact: true }).count()
  expect(silent / ((await table.getByRole('row').count()) - 1)).toBeLessThan(0.2)
  const newest = await table.getByRole('rowheader').first().textContent()
  expect(newest).toContain(String(new Date(server.now()).getUTCDate()))
})

it.each([
  { locale: 'en-US', viewport: desktop, scheme: 'light' },
  { locale: 'zh-CN', viewport: phone, scheme: 'dark' },
] as const)('each range is chosen and drawn with its steps, and bars nobody, in $locale', async (screen) => {
  const { page, app } = await openTab(screen, `/cluster/${running.clusterId}?tab=monitoring`)
  const { t } = app
  const ranges = page.getByRole('radiogroup', { name: t('monitoring.rangeLabel') })
  for (const [title, minutes, steps] of [
    [t('monitoring.last7d'), 40, 252],
    [t('monitoring.last3d'), 15, 288],
    [t('monitoring.last24h'), 5, 288],
    [t('monitoring.last12h'), 3, 240],
  ] as const) {
    await ranges.getByText(title, { exact: true }).click()
    await page.getByText(t('monitoring.pointIs', { minutes }), { exact: true }).waitFor()
    const drawn = page.getByRole('slider')
    await expect.poll(() => drawn.count()).toBe(4)
    for (const one of await drawn.all()) expect(await one.getAttribute('aria-valuemax')).toBe(String(steps - 1))
    expect.soft(await findBarriers(page), title).toEqual([])
  }
})

it('every value is reached by keys, stands in a table and in a file, and bars nobody', async () => {
  const { page, app } = await openTab({}, `/cluster/${running.clusterId}?tab=monitoring`)
  const cpu = chart(page, 'CPU')
  const at = async () => Number(await cpu.getAttribute('aria-valuenow'))
  await cpu.focus()
  const last = Number(await cpu.getAttribute('aria-valuemax'))
  for (const [key, expected] of [
    ['Home', 0],
    ['ArrowRight', 1],
    ['Shift+ArrowRight', 11],
    ['ArrowLeft', 10],
    ['End', last],
    ['Shift+ArrowLeft', last - 10],
  ] as const) {
    await cpu.press(key)
    expect(await at()).toBe(expected)
  }
  // The others point at the same time.
  expect(await chart(page, 'Memory').getAttribute('aria-valuenow')).toBe(String(last - 10))
  expect(await cpu.getAttribute('aria-valuetext')).toMatch(/: Master \d+%, Workers \d+%$/)
  await cpu.press('Escape')
  expect(await at()).toBe(last)

  const download = page.waitForEvent('download')
  await app.button(app.t('monitoring.download', { chart: 'CPU' })).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines[0]).toMatch(/Time,Master \(%\),Workers \(%\)$/)
  expect(lines).toHaveLength(1 + last + 1)

  await app.button(app.t('monitoring.showTable', { chart: 'CPU' })).click()
  const table = page.getByRole('region', { name: app.t('monitoring.tableOf', { chart: 'CPU' }), exact: true })
  const rows = table.getByRole('row')
  expect(await rows.count()).toBe(1 + last + 1)
  expect(await rows.getByText(app.t('monitoring.noReading'), { exact: true }).count()).toBeGreaterThan(0)
  // The button's tip goes with the pointer and the focus.
  await table.focus()
  await page.mouse.move(1, 1)
  await page.getByRole('tooltip').waitFor({ state: 'hidden' })
  expect(await findBarriers(page)).toEqual([])
})
