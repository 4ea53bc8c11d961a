/** The command palette, by keys. */
import { clusterRename, clusterRestart, clusterStart } from '@atoll/contract/clusters'
import { codes, toastTimeoutMs } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { phone } from '../stack/browser.ts'
import type { TabOptions } from '../stack/console-tab.ts'
import { overdueAnswers } from '../stack/samples/sample-account.ts'
import { sampleInvoiceId } from '../stack/samples/sample-bills.ts'
import { sampleNameOf } from '../stack/samples/sample-clusters.ts'
import { envelope } from '../stack/scripted-console.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openPage } = shareConsole()
const running = sampleNameOf('running')
const stopped = sampleNameOf('stopped')
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""')

describe('the command palette', () => {
  async function openPalette(options: TabOptions = {}) {
    const { page, app } = await openPage('/', options)
    await app.card(running).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: app.t('palette.name') })
    await field.waitFor()
    // An option's name goes on with its reason.
    const option = (label: string) => page.getByRole('option', { name: new RegExp(`^${label}`) })
    return { page, app, field, option }
  }

  it('goes anywhere by keys alone, and hands focus to the page', async () => {
    const { page, app, field } = await openPalette()
    await field.pressSequentially('insta')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/instance')
    await app.heading(app.t('shell.instances')).waitFor()
    await expect.poll(() => focused(page)).toBe(app.t('shell.instances'))
  })

  it('finds a cluster and what can be done with it, the refused with their reason', async () => {
    const { page, app, field, option } = await openPalette()
    await field.fill(running)
    await option(app.t('common.actOn', { action: app.t('action.restart'), name: running })).waitFor()
    const refused = option(app.t('common.actOn', { action: app.t('action.start'), name: running }))
    expect(await refused.getAttribute('aria-disabled')).toBe('true')
    await refused.getByText('It is not possible in this state.').waitFor()
    await refused.click({ force: true })
    await field.waitFor()
    expect(server.asked).not.toContain(clusterStart.path)
    await field.fill(`restart ${running}`)
    await page.keyboard.press('Enter')
    const dialog = app.dialog(app.t('dialog.restartTitle', { name: running }))
    await app.button(app.t('dialog.restartDo'), dialog).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(server.asked).toContain(clusterRestart.path)
  })

  it.each(['en-US', 'zh-CN'] as const)(
    'leads to no order while a bill is past due, as nothing else does (%s)',
    async (locale) => {
      server.answers = overdueAnswers()
      const { page, app, field, option } = await openPalette({ locale, viewport: phone })
      const reason = app.t('shell.createWaits')
      await field.fill(app.t('shell.create'))
      const refused = option(app.t('shell.create'))
      await refused.getByText(reason).waitFor()
      expect(await refused.getAttribute('aria-disabled')).toBe('true')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      const inHeader = app.button(app.t('shell.create'), page.locator('header'))
      expect(await inHeader.getAttribute('data-tip')).toBe(reason)
      await inHeader.click({ force: true })
      expect(new URL(page.url()).pathname).toBe('/')
      await page.goto('/create')
      await app.heading(reason).waitFor()
    },
  )

  it('offers an action of every cluster, opens a personal server, and renames', async () => {
    const { page, app, field, option } = await openPalette()
    await field.fill(app.t('action.destroyMaster'))
    const destroyed = await option(app.t('action.destroyMaster')).allTextContents()
    expect(destroyed.some((text) => text.includes(running)) && destroyed.some((text) => text.includes(stopped))).toBe(
      true,
    )
    await field.fill(running)
    await option(app.t('common.actOn', { action: app.t('cluster.open'), name: running })).waitFor()
    await field.fill(`${app.t('action.rename')} ${running}`)
    await page.keyboard.press('Enter')
    const dialog = app.dialog(app.t('dialog.renameTitle', { name: running }))
    const name = dialog.getByLabel(app.t('create.name'))
    await name.fill(stopped)
    await page.keyboard.press('Enter')
    await dialog.getByText(app.t('create.nameTaken', { name: stopped })).waitFor()
    expect(server.asked).not.toContain(clusterRename.path)
    await name.fill('Home 2')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect(server.asked).toContain(clusterRename.path)
  })

  it('shows why an action failed, though nothing of it is on the page any more', async () => {
    const { page, app, field } = await openPalette()
    server.breakdown = (path) =>
      path === clusterStart.path ? { status: 200, body: envelope(codes.conflict, 'The lagoon is closed.') } : undefined
    await field.fill(`${app.t('action.start')} ${stopped}`)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The lagoon is closed.', { exact: true }).waitFor()
    // A failure stays until it is closed.
    await page.clock.install()
    await page.clock.fastForward(toastTimeoutMs * 60)
    await app.button(app.t('failure.close')).click()
    await page.getByText('The lagoon is closed.', { exact: true }).waitFor({ state: 'hidden' })
  })

  it('finds an invoice by its number and a domain, and offers first what was looked at last', async () => {
    const { page, app, field, option } = await openPalette()
    await field.fill('bücher')
    await option('bücher.example').waitFor()
    await field.fill('7k3qd-0031')
    await option('ATL-7K3QD-0031').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/payment/${sampleInvoiceId}`)
    // The address changes before the page is there.
    await page.locator('main').getByText('ATL-7K3QD-0031').first().waitFor()
    await app
      .link(app.t('shell.home', { product: 'Atoll' }))
      .first()
      .click()
    await app.card(running).waitFor()
    await page.keyboard.press('Control+k')
    const recent = page.getByRole('group', { name: app.t('palette.recent') })
    await recent.getByText('ATL-7K3QD-0031').waitFor()
    expect(await page.getByRole('option').first().textContent()).toContain('ATL-7K3QD-0031')
  })

  it('changes language and appearance, and says when nothing matches', async () => {
    const { page, app, field } = await openPalette()
    await field.fill('zzzz')
    await page.getByText(app.t('palette.nothing', { query: 'zzzz' })).waitFor()
    await field.fill(app.t('shell.dark'))
    await page.keyboard.press('Enter')
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' })
    await page.keyboard.press('Control+k')
    await field.fill('中文')
    await page.keyboard.press('Enter')
    await page.locator('html[lang=zh-CN]').waitFor({ state: 'attached' })
  })

  it('gives focus back to where it was when it is left', async () => {
    const { page, app } = await openPage()
    await app.button(app.t('shell.search')).press('Enter')
    await page.getByRole('combobox').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('combobox').waitFor({ state: 'hidden' })
    await expect.poll(() => focused(page)).toContain(app.t('shell.search'))
  })

  it('and the list of keys opens by key on a phone too', async () => {
    const { page, app } = await openPage('/', { viewport: phone })
    await page.keyboard.press('Control+/')
    await app.dialog(app.t('shell.shortcuts')).waitFor()
    await page.keyboard.press('Control+/')
    await app.dialog(app.t('shell.shortcuts')).waitFor({ state: 'hidden' })
  })
})
