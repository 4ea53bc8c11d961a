/** The console without a network, and with files that do not load. */
import { createCluster, resourceList } from '@atoll/contract/clusters'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleTab } from '../stack/console-tab.ts'
import { sampleClusters, sampleNameOf } from '../stack/samples/sample-clusters.ts'
import { sampleAmount } from '../stack/samples/sample-money.ts'
import { waitForRest, watchRequests } from '../stack/settled.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openTab, openPage } = shareConsole()
const running = sampleNameOf('running')
/** In the sidebar; a number may follow its name. */
const place = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}( ?\\d+)?$`) })
/** Opens Home and waits until the code of a page that nobody went to is there, in all its files. */
async function openHomeAndAhead(file: string): Promise<ConsoleTab> {
  const tab = await openTab({ fetchesAhead: true })
  const rest = watchRequests(tab.page, 'undefined')
  await tab.page.goto('/')
  const fetched = `performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/${file}-'))`
  await expect.poll(() => tab.page.evaluate(fetched)).toBe(true)
  expect((await rest()).obstacle).toBeNull()
  return tab
}

describe('without a network', () => {
  it('says so, keeps what it knew, opens pages that were never opened, and catches up', async () => {
    const { page, app, context } = await openHomeAndAhead('InstancesPage')
    await app.card(running).waitFor()
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    expect(await app.card(running).count()).toBe(1)
    await place(page, app.t('shell.instances')).click()
    await page.waitForURL('**/instance')
    await app.heading(app.t('shell.instances')).waitFor()
    await page.goBack()
    server.asked.length = 0
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => server.asked.includes(resourceList.path)).toBe(true)
    await app.card(running).waitFor()
  })

  it('shows what it last knew as such, and refuses what cannot be done now with the reason', async () => {
    const { page, app, context } = await openHomeAndAhead('_clusterId')
    const card = app.card(running)
    const stop = app.action('stop', running)
    await stop.waitFor()
    expect(await stop.getAttribute('aria-disabled')).toBe('false')
    // The list fails, too: the banner alone shows it.
    server.breakdown = (path) => (path === resourceList.path ? { status: 500, body: '' } : undefined)
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    expect(await page.locator('main').getByRole('alert').count()).toBe(0)
    await expect.poll(() => card.getAttribute('data-stale')).toBe('true')
    const [asOf] = app.t('cluster.asOf', { time: '|' }).split('|')
    await card.getByText(asOf ?? '').waitFor()
    await expect
      .poll(() => card.locator('[data-status=running] [data-colour]').getAttribute('data-colour'))
      .toBe('grey')
    await expect.poll(() => stop.getAttribute('aria-disabled')).toBe('true')
    await expect.poll(() => stop.getAttribute('data-tip')).toBe(app.t('shell.offlineAction'))
    await app.link(running).first().click()
    await app.heading(running).waitFor()
    await page
      .locator('section[data-stale]')
      .getByText(asOf ?? '')
      .waitFor()
    server.breakdown = undefined
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => page.locator('[data-stale]').count()).toBe(0)
    await expect.poll(() => app.button(app.t('action.stop')).getAttribute('aria-disabled')).toBe('false')
  })

  it('refuses acts that need no dialog too: cancelling, a new password, creating', async () => {
    const id = sampleClusters.find(({ name }) => name === running)?.clusterId
    const { page, app, context } = await openPage(`/cluster/${id}`, { fetchesAhead: true })
    const cancel = app.button(app.t('action.cancel'))
    await cancel.waitFor()
    await context.setOffline(true)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor()
    const panel = page.getByRole('region').filter({ has: cancel })
    await expect.poll(() => panel.locator('[data-status] [data-colour]').getAttribute('data-colour')).toBe('grey')
    const reason = app.t('shell.offlineAction')
    await expect.poll(() => cancel.getAttribute('data-tip')).toBe(reason)
    await cancel.click({ force: true })
    await page.getByRole('tab', { name: app.t('detail.tabAccess') }).click()
    const reset = app.button(app.t('access.reset'))
    await expect.poll(() => reset.getAttribute('data-tip')).toBe(reason)
    await reset.click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('creates nothing, and says why', async () => {
    const { page, app, context } = await openPage(
      '/create?step=review&cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3',
      { fetchesAhead: true },
    )
    await page.getByLabel(app.t('create.name'), { exact: true }).fill('Makatea')
    const create = app.button(app.t('create.payDo', { amount: sampleAmount }))
    expect(await create.getAttribute('aria-disabled')).toBe('false')
    await context.setOffline(true)
    await page.locator('aside').getByText(app.t('shell.offlineAction'), { exact: true }).waitFor()
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
    server.asked.length = 0
    await create.click({ force: true })
    await page.getByLabel(app.t('create.name'), { exact: true }).press('Enter')
    await context.setOffline(false)
    await page.getByText(app.t('shell.offlineTitle'), { exact: true }).waitFor({ state: 'hidden' })
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('false')
    expect(server.asked).not.toContain(createCluster.path)
  })

  it.each<[string, string, (tab: ConsoleTab) => Promise<void>, 'combobox' | 'dialog']>([
    ['the palette', 'CommandPalette', ({ page }) => page.keyboard.press('Control+k'), 'combobox'],
    ['a question', 'ConfirmDialog', ({ app }) => app.action('stop', running).click(), 'dialog'],
  ])('%s that cannot be fetched is reported, and comes when it can be', async (_what, file, ask, role) => {
    const tab = await openPage('/', { fetchesAhead: true })
    const { page, app } = tab
    await app.card(running).waitFor()
    // Its prefetches must not be caught under way.
    expect((await waitForRest(page, { loaded: true })).obstacle).toBeNull()
    await page.route(`**/assets/${file}-*`, (route) => route.abort())
    await ask(tab)
    await page.getByRole('alert').getByText(app.t('failure.network'), { exact: true }).waitFor()
    await page.unroute(`**/assets/${file}-*`)
    await ask(tab)
    await page.getByRole(role).waitFor()
  })
})
