/** The browser and the scripted server that the tests of one file share, and the tabs that each of them opens. */
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { forShortPages, launchBrowser } from './browser.ts'
import { type ConsoleTab, openTab, type TabOptions } from './console-tab.ts'
import { sampleAnswers } from './samples/sample-account.ts'
import { createScriptedConsole, type ScriptedConsole } from './scripted-console.ts'

export interface SharedConsole {
  /** Listens while tests run; each begins with the script of a healthy server that was asked nothing. */
  server: ScriptedConsole
  /** Opens a tab, at `path` when one is given. It is closed after the test, whatever became of it. */
  openTab(options?: TabOptions, path?: string): Promise<ConsoleTab>
  /** The same, and returns when the page has its heading. */
  openPage(path?: string, options?: TabOptions): Promise<ConsoleTab>
}

/** Called once, at the head of a file of tests. */
export function shareConsole(): SharedConsole {
  const server = createScriptedConsole(sampleAnswers())
  const tabs: ConsoleTab[] = []
  let browser: Browser | undefined
  beforeAll(async () => {
    ;[browser] = await Promise.all([launchBrowser([forShortPages]), server.listen()])
  })
  afterAll(async () => {
    await browser?.close()
    await server[Symbol.asyncDispose]()
  })
  beforeEach(() => {
    server.breakdown = undefined
    server.now = Date.now
    server.wait = undefined
    server.answers = sampleAnswers()
    server.answersOf.clear()
    server.asked.length = 0
  })
  afterEach(async () => {
    await Promise.all(tabs.splice(0).map(({ context }) => context.close()))
  })
  async function open(options?: TabOptions, path?: string): Promise<ConsoleTab> {
    if (!browser) throw new Error('a tab is opened by a test')
    const tab = await openTab(browser, server.url, options)
    tabs.push(tab)
    if (path !== undefined) await tab.page.goto(path)
    return tab
  }
  return {
    server,
    openTab: open,
    async openPage(path = '/', options) {
      const tab = await open(options, path)
      await tab.page.locator('main h1').first().waitFor()
      return tab
    },
  }
}
