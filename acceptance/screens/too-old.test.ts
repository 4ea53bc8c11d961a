import { expect, it } from 'vitest'
import { desktop, openScreen } from '../stack/browser.ts'
import { useStack } from '../stack/use-stack.ts'

const stack = useStack({ browser: true })

it.each(['console', 'wallet'] as const)(
  'is told so by the %s in both languages, in place of a broken page',
  async (page) => {
    const screen = await openScreen(stack.browser, { locale: 'en-US', viewport: desktop })
    const origin = page === 'console' ? stack.server.url : stack.server.walletUrl
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
