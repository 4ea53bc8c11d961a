/**
 * A browser that is older than README.md promises: one whose style sheets cannot do what the newest of these could.
 */
import { type ServerProcess, startServer } from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { desktop, launchBrowser, openScreen } from '../stack/browser.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

it.each(['console', 'wallet'] as const)(
  'is told so by the %s in both languages, in place of a broken page',
  async (page) => {
    const screen = await openScreen(browser, { locale: 'en-US', viewport: desktop })
    const origin = page === 'console' ? server.url : server.walletUrl
    const words = screen.page.locator('#too-old')
    await screen.page.goto(origin)
    await screen.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await words.isVisible()).toBe(false)

    // A function of selectors that this one does not know either.
    await screen.page.route('**/*.css', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({
        response: answer,
        body: (await answer.text()).replaceAll(':dir(ltr)', ':of-tomorrow(ltr)'),
      })
    })
    // As a browser does that cannot parse them.
    await screen.page.route('**/*.js', (route) => route.abort())
    await screen.page.reload()
    await words.waitFor()
    for (const lang of ['en', 'zh-CN']) expect(await words.locator(`[lang="${lang}"]`).isVisible()).toBe(true)
    await screen.context.close()
  },
)
