import type { Locale } from '@atoll/contract/wire'
import { otherBrowsers } from '@atoll/testkit'
import puppeteer, { type Page } from 'puppeteer-core'
import { desktop } from '../browser.ts'
import type { Engine, Tab } from './tab.ts'

/** Debian's Firefox ESR, over WebDriver BiDi: it speaks that without a driver of its own. */
export async function launchFirefox(locale: Locale): Promise<Engine> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: otherBrowsers.firefox,
    extraPrefsFirefox: { 'intl.accept_languages': locale },
    defaultViewport: desktop,
    timeout: 60_000,
  })
  return {
    openTab: async () => tabOf(await browser.newPage()),
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

function tabOf(page: Page): Tab {
  return {
    async open(url) {
      await page.goto(url)
    },
    evaluate: (expression) => page.evaluate(expression),
    pressAt: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    bringToFront: () => page.bringToFront(),
    takePicture: () => page.screenshot(),
  }
}
