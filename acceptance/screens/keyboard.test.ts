/** Signing in, switching accounts, creating and destroying a cluster with nothing but the keyboard. */
import { createScriptedWallet, type ScriptedWallet, type ServerProcess, startServer } from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { consoleApp } from '../stack/apps/console-app.ts'
import { desktop, launchBrowser, openScreen, type Screen } from '../stack/browser.ts'
import { keys } from '../stack/keys.ts'
import { freshName } from '../stack/people.ts'

let server: ServerProcess
let browser: Browser
let screen: Screen
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
  screen = await openScreen(browser, { locale: 'en-US', viewport: desktop })
  await screen.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  // Moving the mouse would end keyboard-only use.
  await screen.page.addInitScript(`addEventListener('mousedown', () => (globalThis.mouseWasUsed = true), true)`)
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

it('signs in, switches, creates and destroys', async () => {
  const { page } = screen
  const app = consoleApp(page, 'en-US')
  const { t } = app
  const { press, choose, tabTo, type } = keys(page)
  const names = [freshName(), freshName()] as const
  const wallets = await Promise.all(
    names.map(async (name) => {
      const wallet = createScriptedWallet()
      await wallet.register(server.url)
      await wallet.bindName(server.url, name)
      return wallet
    }),
  )
  async function scan(wallet: ScriptedWallet | undefined): Promise<void> {
    await press(app.button(t('login.copyCode')))
    await app.button(t('login.copiedCode')).waitFor()
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    await wallet?.approve(wallet.read(text))
  }
  const accountButton = (name: string) => app.button(t('shell.accountMenu', { name }))

  await page.goto(server.url)
  await app.code().waitFor()
  await scan(wallets[0])
  await choose(accountButton(names[0]), page.getByRole('menuitem', { name: t('accounts.add') }))
  await page.getByText(t('login.signedInAs', { name: names[0] })).waitFor()
  await scan(wallets[1])
  await choose(accountButton(names[1]), page.getByRole('menuitemradio', { name: names[0] }))
  await accountButton(names[0]).waitFor()

  await press(app.link(t('home.create')))
  await app.heading(t('create.flavourTitle')).waitFor()
  await press(app.link(t('create.toHardware')))
  await app.heading(t('create.hardwareTitle')).waitFor()
  await press(app.link(t('create.toReview')))
  const field = page.getByLabel(t('create.name'), { exact: true })
  await tabTo(field)
  await page.keyboard.press('ControlOrMeta+A')
  await type('Rangiroa')
  await press(app.button(t('create.do', { name: 'Rangiroa' })))
  await app.card('Rangiroa').waitFor()
  await choose(
    app.button(t('common.more', { name: 'Rangiroa' }), app.card('Rangiroa')),
    page.getByRole('menuitem', { name: t('action.destroyMaster') }),
  )
  const question = app.dialog(t('dialog.destroyTitle', { name: 'Rangiroa' }))
  await tabTo(question.getByRole('textbox'))
  await type('Rangiroa')
  await press(app.button(t('dialog.destroyDo'), question))
  await question.waitFor({ state: 'hidden' })
  await app.card('Rangiroa').waitFor({ state: 'detached' })
  expect(await page.evaluate('globalThis.mouseWasUsed')).toBeUndefined()
  expect(screen.complaints).toEqual([])
})
