import { resourceInitNew } from '@atoll/contract/clusters'
import { runtimeConfigName } from '@atoll/contract/identity'
import { accountIndexKey, accountListKey } from '@atoll/contract/wire'
import { beforeEach, expect, it, vi } from 'vitest'
import { localeKey } from '../../locales/locale-key.ts'
import { exampleAccount } from '../../testing/accounts.ts'
import { type FakeBrowser, stubBrowser } from '../../testing/browser.ts'
import { askEarly } from './ask-early.ts'
import type { EarlyFacts } from './early-facts.ts'

const textsOf = (what: string) => {
  const address = `data:text/javascript,export const of = '${what}'`
  return { 'en-US': address, 'zh-CN': address }
}
const facts: EarlyFacts = {
  signInPath: '/login',
  configName: runtimeConfigName,
  initPath: resourceInitNew.path,
  signIn: { modules: ['/sign-in.js'], styles: ['/sign-in.css'] },
  signedIn: { modules: ['/home.js'], styles: ['/home.css'] },
  texts: { always: textsOf('start'), signedIn: textsOf('pages') },
}
const oneHost = { global: 'https://console.atoll.example', china: 'https://console.atoll.example' }

let browser: FakeBrowser
let links: { rel?: string; href?: string }[]
let calls: [string, RequestInit][]

beforeEach(() => {
  browser = stubBrowser()
  links = []
  calls = []
  vi.stubGlobal('navigator', { languages: ['de-DE', 'zh-TW', 'en-US'] })
  vi.stubGlobal('fetch', async (path: string, options: RequestInit) => {
    calls.push([path, options])
    return new Response('answer')
  })
  openPage({ hosts: oneHost, now: Date.now() })
  hold([exampleAccount(0), exampleAccount(1)], '1')
  return () => {
    vi.unstubAllGlobals()
    globalThis.earlyInit = undefined
    globalThis.earlyTexts = undefined
  }
})

/** A page with `config` written into it, `undefined` for none, and its style sheet there. */
function openPage(config: object | undefined): void {
  const { document } = globalThis
  const meta = config && { getAttribute: () => JSON.stringify(config) }
  vi.stubGlobal('document', {
    ...document,
    fonts: { load: async () => [] },
    createElement: () => ({}),
    head: { append: (link: object) => links.push(link) },
    querySelector: (selector: string) =>
      selector === `meta[name="${runtimeConfigName}"]` ? meta : selector.startsWith('link') ? { sheet: {} } : null,
  })
}

function hold(accounts: unknown, index: string): void {
  browser.storage.set(accountListKey, JSON.stringify(accounts))
  browser.storage.set(accountIndexKey, index)
}

it('asks as the current account, in the language of the page, and leaves the answer', async () => {
  askEarly(facts)
  const { userid, token } = exampleAccount(1)
  expect(calls).toMatchObject([
    [resourceInitNew.path, { method: 'POST', headers: { userid, token, 'Accept-Language': 'zh-CN' } }],
  ])
  expect(globalThis.earlyInit).toMatchObject({ token, locale: 'zh-CN' })
  await expect(globalThis.earlyInit?.answered).resolves.toMatchObject({ text: 'answer' })
  expect(links.map(({ rel, href }) => `${rel} ${href}`)).toEqual(['modulepreload /home.js', 'preload /home.css'])
})

it('has the texts read of the pages that are wanted', async () => {
  askEarly(facts)
  const read = globalThis.earlyTexts
  expect(read?.locale).toBe('zh-CN')
  await expect(Promise.all([read?.always, read?.signedIn])).resolves.toMatchObject([{ of: 'start' }, { of: 'pages' }])
  vi.stubGlobal('location', new URL('https://console.atoll.example/login'))
  askEarly(facts)
  expect(globalThis.earlyTexts).not.toHaveProperty('signedIn')
})

it('asks in the kept language before any of the browser’s', () => {
  browser.storage.set(localeKey, 'en-US')
  askEarly(facts)
  expect(globalThis.earlyInit?.locale).toBe('en-US')
})

it('asks nothing of an account where one signs in', () => {
  vi.stubGlobal('location', new URL('https://console.atoll.example/login/did'))
  askEarly(facts)
  expect([calls, links.map(({ href }) => href)]).toEqual([[], ['/sign-in.js', '/sign-in.css']])
})

it.each([
  ['nobody is signed in', () => browser.storage.clear()],
  ['storage is blocked', () => browser.blockStorage()],
  ['the list is damaged', () => browser.storage.set(accountListKey, '[{"userid":')],
  ['the list is no list', () => hold(null, '0')],
  ['the index points nowhere', () => hold([exampleAccount(0)], '7')],
  ['the session has ended, by the server’s clock', () => openPage({ hosts: oneHost, now: exampleAccount(1).expired })],
  ['each language has a host', () => openPage({ hosts: { ...oneHost, china: 'https://cn.atoll.example' }, now: 0 })],
  ['no configuration is written into the page', () => openPage(undefined)],
])('leaves the account’s question to the page when %s', (_when, arrange) => {
  arrange()
  askEarly(facts)
  expect(calls).toEqual([])
  expect(globalThis.earlyInit).toBeUndefined()
  expect(links).toHaveLength(2)
})
