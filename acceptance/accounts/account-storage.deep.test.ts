/** Faults of a browser with the accounts it stores: damaged data, refused writes, a wrong clock, a bad link. */
import { activeLogin, type SignedIn } from '@atoll/contract/accounts'
import { accountListKey, type Locale } from '@atoll/contract/wire'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { ConsoleTab, TabOptions } from '../stack/console-tab.ts'
import { sampleSession } from '../stack/samples/sample-account.ts'
import { shareConsole } from '../stack/shared-console.ts'
import { consoleTexts } from '../stack/texts.ts'

const { server, openTab } = shareConsole()
let tab: ConsoleTab

const lena = sampleSession()
const jonas = sampleSession({
  userid: `did:key:z6Mk${'b'.repeat(44)}`,
  terminusName: 'jonas@atoll.test',
  token: 'jonas',
})
const stranger = `did:key:z6Mk${'c'.repeat(44)}`
const hour = 60 * 60_000
const path = (page: Page) => decodeURIComponent(new URL(page.url()).pathname)

async function open(options: TabOptions, url: string): Promise<ConsoleTab> {
  tab = await openTab(options)
  await tab.page.goto(url)
  return tab
}

describe.each(['en-US', 'zh-CN'] satisfies Locale[])('in %s', (locale) => {
  const t = consoleTexts(locale)

  it.each([
    ['is no list', '{"userid":', t('accounts.repairedNothing'), '/login'],
    ['lacks what only an older version left out', JSON.stringify([older(lena)]), t('accounts.repairedAll'), '/'],
    ['holds one entry that is none', JSON.stringify([lena, { userid: 7 }]), repairedOne(locale), '/'],
  ])('a stored list that %s is repaired, and the page says so', async (_what, storedList, words, at) => {
    const { page } = await open({ locale, storedList }, '/')
    await page.getByText(words, { exact: true }).first().waitFor()
    await page.waitForURL(({ pathname }) => pathname === at)
    const list = await page.evaluate<string>(`localStorage.getItem('${accountListKey}')`)
    expect(JSON.parse(list)).toHaveLength(at === '/' ? 1 : 0)
    // Shown once: what was repaired is whole.
    await page.reload()
    await page.getByRole('heading').first().waitFor()
    expect(await page.getByText(words, { exact: true }).count()).toBe(0)
    expect(tab.complaints).toEqual([])
  })

  it.each(['blocked', 'full'] as const)(
    'with storage %s one signs in for this tab, and the page says so',
    async (what) => {
      tab = await openTab({ locale, accounts: undefined })
      await tab.context.addInitScript(breakStorage, what)
      const { page, app } = tab
      await page.clock.install()
      await page.goto('/instance')
      await app.matchNumber()
      server.answers.set(activeLogin, lena)
      await Promise.all([app.waitUntilScanned(), page.clock.fastForward(3100)])
      await page.clock.fastForward(1100)
      await page.waitForURL((url) => url.pathname === '/instance')
      await page.getByText(t('accounts.unsaved'), { exact: true }).first().waitFor()
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(tab.complaints).toEqual([])
    },
  )
})

function older({ userid, token, expired, terminusName }: SignedIn): object {
  return { userid, token, expired, terminusName }
}
function repairedOne(locale: Locale): string {
  const t = consoleTexts(locale)
  return locale === 'en-US' ? t('accounts.repairedSome_one') : t('accounts.repairedSome_other', { count: 1 })
}

/** Runs in the page: storage as a browser that blocks it, or one that is full, has it. */
function breakStorage(what: 'blocked' | 'full'): void {
  const page = globalThis as unknown as { localStorage: object; Storage: { prototype: { setItem: unknown } } }
  const refuse = () => {
    throw new Error(`storage is ${what}`)
  }
  if (what === 'blocked') Object.defineProperty(page, 'localStorage', { get: refuse })
  else page.Storage.prototype.setItem = refuse
}

describe.each([
  ['an hour fast', hour],
  ['an hour slow', -hour],
])('with a clock that is %s', (_what, offset) => {
  async function openAt(options: TabOptions, url: string): Promise<ConsoleTab> {
    tab = await openTab(options)
    await tab.page.clock.install({ time: Date.now() + offset })
    await tab.page.goto(url)
    return tab
  }

  it('a session ends when the server says so', async () => {
    const { page, app } = await openAt({ accounts: [sampleSession({ expired: Date.now() + hour / 2 })] }, '/instance')
    await app.heading(app.t('instances.title')).waitFor()
    expect(path(page)).toBe('/instance')
    await tab.context.close()
    const ended = sampleSession({ expired: Date.now() - hour / 2 })
    const second = await openAt({ accounts: [ended] }, '/instance')
    await second.page.waitForURL((url) => url.pathname.startsWith('/login/'))
    expect(path(second.page)).toBe(`/login/${ended.userid}`)
  })

  it('a code lives for two minutes, and the cookie until the session ends', async () => {
    const expired = Date.now() + 8 * hour
    const { page, context, app } = await openAt({ accounts: undefined }, '/login')
    await app.matchNumber()
    await page.clock.fastForward(2000)
    const left = page.getByRole('timer')
    await left.getByText(/^1:5\d$/).waitFor()
    server.answers.set(activeLogin, sampleSession({ expired }))
    await Promise.all([app.waitUntilScanned(), page.clock.fastForward(3100)])
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'syncToken')
    // The browser forgets the cookie by the device's clock, which is wrong by an hour.
    expect(Math.abs((cookie?.expires ?? 0) * 1000 - offset - expired)).toBeLessThan(hour / 2)
  })
})

describe('a link to the sign-in page', () => {
  const safe = '/create?step=hardware&name=a%2Fb'
  it.each([
    [safe, safe],
    ['//evil.example', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['javascript:alert(1)', '/'],
    ['/LOGIN', '/'],
    ['/login/../%6Cogin', '/'],
  ])('that goes on to %j leads to %j', async (redirect, wanted) => {
    server.answers.set(activeLogin, lena)
    tab = await openTab({ accounts: undefined })
    const { page, app } = tab
    await page.clock.install()
    await page.goto(`/login?redirect=${encodeURIComponent(redirect)}`)
    await app.matchNumber()
    // It asks every 3 s, and 'Scan successful' stays for 1 s.
    await Promise.all([app.waitUntilScanned(), page.clock.fastForward(3100)])
    await page.clock.fastForward(1100)
    await page.waitForURL((url) => !url.pathname.startsWith('/login'))
    const { origin, pathname, search } = new URL(page.url())
    expect(origin).toBe(server.url)
    expect(pathname + search).toBe(wanted)
  })
})

describe('the guard', () => {
  const guarded = [
    '/',
    '/create',
    '/instance',
    '/profile',
    '/sessions',
    '/activity',
    '/createMobile',
    '/instanceMobile',
  ]
  const wanted = guarded.map((route) => `${route}?name=a`)

  it('sends who is not signed in to the sign-in page, and whose session expired to that of the account', async () => {
    const { page } = await open({ accounts: undefined }, '/login')
    for (const route of wanted) {
      await page.goto(route)
      await page.waitForURL((url) => url.pathname === '/login')
      expect(new URL(page.url()).searchParams.get('redirect')).toBe(route)
    }
    await tab.context.close()
    const ended = sampleSession({ expired: Date.now() - 1 })
    const second = await open({ accounts: [ended] }, '/login')
    for (const route of wanted) {
      await second.page.goto(route)
      await second.page.waitForURL((url) => url.pathname.startsWith('/login/'))
      expect(path(second.page)).toBe(`/login/${ended.userid}`)
      expect(new URL(second.page.url()).searchParams.get('redirect')).toBe(route)
    }
  })

  it('asks for anyone where the account that is asked for can be nobody', async () => {
    const { page, app } = await open({ accounts: undefined }, '/login/nobody?redirect=/create')
    await app.heading(app.t('login.title')).waitFor()
    expect(path(page)).toBe('/login')
    expect(new URL(page.url()).searchParams.get('redirect')).toBe('/create')
  })

  it('says that a session has expired where it has, and leads on where it lasts', async () => {
    const address = `/login/${lena.userid}?redirect=/instance`
    const { page, app } = await open({ accounts: [jonas, lena] }, address)
    await page.getByText(app.t('login.signedInAs', { name: lena.terminusName ?? '' }), { exact: true }).waitFor()
    const expired = page.getByText(app.t('login.sessionExpired'), { exact: true })
    expect(await expired.count()).toBe(0)
    await app.button(app.t('login.continue')).click()
    await page.waitForURL((url) => url.pathname === '/instance')
    await app.button(app.t('shell.accountMenu', { name: lena.terminusName ?? '' })).waitFor()
    // Of an account that this browser never stored nothing is known.
    await page.goto(`/login/${stranger}`)
    await app.heading(app.t('login.again')).waitFor()
    expect(await expired.count()).toBe(0)
    await tab.context.close()
    const second = await open({ accounts: [sampleSession({ expired: Date.now() - 1 })] }, address)
    await second.page.getByText(app.t('login.sessionExpired'), { exact: true }).waitFor()
    await second.page.goto('/login')
    await second.app.code().waitFor()
    expect(await second.app.link(app.t('login.continue')).count()).toBe(0)
  })

  it('lets everyone to the lists, the sign-in page and an address without a page', async () => {
    const { page, app } = await open({ accounts: undefined }, '/accountList')
    await page.getByText(app.t('accounts.emptyTitle'), { exact: true }).waitFor()
    await page.goto('/languageList')
    await app.heading(app.t('languages.title')).waitFor()
    for (const nowhere of ['/nowhere', '/cluster', '/login/a/b']) {
      await page.goto(nowhere)
      await app.heading(app.t('notFound.title')).waitFor()
      expect(new URL(page.url()).pathname).toBe(nowhere)
    }
    // The server answers an address that cannot be decoded with the page too.
    await page.route('**/%E0%A4', async (route) =>
      route.fulfill({ response: await route.fetch({ url: `${server.url}/nowhere` }) }),
    )
    await page.goto('/%E0%A4')
    await app.heading(app.t('notFound.title')).waitFor()
  })
})

describe('the language', () => {
  it('is the browser’s at first, is kept, and changes without a reload', async () => {
    const { page, app } = await open({ locale: 'zh-CN', accounts: undefined }, '/languageList')
    await app.heading(app.t('languages.title')).waitFor()
    await page.evaluate('globalThis.sameDocument = true')
    await page.getByRole('radio').first().click({ force: true })
    const english = consoleTexts('en-US')
    await app.heading(english('languages.title')).waitFor()
    expect(await page.evaluate('[globalThis.sameDocument, document.documentElement.lang]')).toEqual([true, 'en-US'])
    await page.goto('/login')
    await app.heading(english('login.title')).waitFor()
  })
})
