/** A tab of the console with an account in its storage, on a scripted server. */
import type { SignedIn } from '@atoll/contract/accounts'
import { accountIndexKey, accountListKey, type Locale, lookKey } from '@atoll/contract/wire'
import { patienceMs } from '@atoll/testkit'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { consoleApp } from './apps/console-app.ts'
import { collectComplaints, saveData } from './browser.ts'
import { sampleSession } from './samples/sample-account.ts'

export interface TabOptions {
  locale?: Locale
  scheme?: 'light' | 'dark'
  viewport?: { width: number; height: number }
  /** Used by touch, as a phone is. */
  touch?: boolean
  /** The browser's stored accounts; undefined: nobody is signed in. */
  accounts?: SignedIn[] | undefined
  /** As whom the tab shows the console to the staff member whose account is stored. */
  look?: object
  /** The list as text, for one that is broken. */
  storedList?: string
  reducedMotion?: 'reduce' | 'no-preference'
  /** The visitor's zone, such as `Europe/Berlin`; default: this machine's. */
  timeZone?: string
  /** Fetches the pages that may be opened next, as a browser does whose owner does not save data. */
  fetchesAhead?: boolean
}

export interface ConsoleTab {
  page: Page
  context: BrowserContext
  app: ReturnType<typeof consoleApp>
  /** Red lines of a browser's console: exceptions, unhandled rejections, and refusals of the page's policy. */
  complaints: string[]
}

export async function openTab(browser: Browser, origin: string, options: TabOptions = {}): Promise<ConsoleTab> {
  const { locale = 'en-US', scheme = 'light', viewport = { width: 1280, height: 800 }, touch = false } = options
  const context = await browser.newContext({
    baseURL: origin,
    locale,
    viewport,
    hasTouch: touch,
    isMobile: touch,
    colorScheme: scheme,
    reducedMotion: options.reducedMotion ?? 'reduce',
    ...(options.timeZone && { timezoneId: options.timeZone }),
  })
  context.setDefaultTimeout(patienceMs)
  const accounts = 'accounts' in options ? options.accounts : [sampleSession()]
  const list = options.storedList ?? (accounts && JSON.stringify(accounts))
  if (list !== undefined) {
    await context.addInitScript(
      // Once a tab: what the page changes in it stays changed.
      ([listKey, indexKey, text]) => {
        const storage = (globalThis as unknown as { localStorage: Storage }).localStorage
        if (storage.getItem(listKey) !== null) return
        storage.setItem(listKey, text)
        storage.setItem(indexKey, '0')
      },
      [accountListKey, accountIndexKey, list] as const,
    )
  }
  if (options.look)
    await context.addInitScript(`sessionStorage.setItem('${lookKey}', '${JSON.stringify(options.look)}')`)
  if (!options.fetchesAhead) await saveData(context)
  const page = await context.newPage()
  return { page, context, app: consoleApp(page, locale), complaints: await collectComplaints(page) }
}

interface Storage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}
