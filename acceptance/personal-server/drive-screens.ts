import type { Locale } from '@atoll/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ActiveAgent, password, startActiveAgent } from '../../apps/agent/src/testing/active-agent.ts'
import { checkLayouts } from '../stack/accessibility.ts'
import { driveApp } from '../stack/apps/drive-app.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { desktop, launchBrowser, launchWholeBrowser, openScreen } from '../stack/browser.ts'

let browser: Browser
/** For previews of PDF; started for the first of them. */
let whole: Browser | undefined
export let server: ActiveAgent
beforeAll(async () => {
  ;[browser, server] = await Promise.all([launchBrowser(), startActiveAgent()])
  const page = await browser.newPage({ viewport: { width: 320, height: 200 } })
  await page.setContent('<body style="background:teal">Reef</body>')
  const [picture, pdf] = await Promise.all([page.screenshot(), page.pdf()])
  await page.close()
  for (const path of ['/Trips', '/Trips/2026']) await server.ask('POST /api/drive/folder', { body: { path } })
  await put('/Trips/2026/reef map.txt', 'Here be corals')
  await put('/reef.png', picture)
  await put('/chart.pdf', pdf)
  await put('/notes.txt', 'Low tide at noon')
  await put('/data10.bin', Buffer.alloc(10))
  await put('/data2.bin', Buffer.alloc(2000))
})
afterAll(async () => {
  await browser?.close()
  await whole?.close()
  await server?.[Symbol.asyncDispose]()
})

export async function put(path: string, body: Buffer | string): Promise<void> {
  const { status } = await server.ask(`PUT /api/drive/file?path=${encodeURIComponent(path)}`, { body })
  expect(status).toBe(201)
}

/** Names in the folder, as the server has them. */
export async function namesIn(path: string): Promise<string[]> {
  const { json } = await server.ask(`GET /api/drive/list?path=${encodeURIComponent(path)}`)
  return json.entries.map(({ name }: { name: string }) => name)
}

/** Signed in, on the files. `showsPdf`: in a browser that can. */
export async function openDrive(locale: Locale = 'en-US', { at = server, showsPdf = false } = {}) {
  if (showsPdf) whole ??= await launchWholeBrowser()
  const { page, context, complaints } = await openScreen((showsPdf && whole) || browser, { locale, viewport: desktop })
  await page.goto(`http://127.0.0.1:${at.agent.port}/`)
  await personalServerApp(page, locale).signIn('reef', password)
  const close = async () => {
    await page.unrouteAll({ behavior: 'wait' })
    await context.close()
  }
  return { page, complaints, drive: driveApp(page, locale), [Symbol.asyncDispose]: close }
}

type Drive = ReturnType<typeof driveApp>

/** Every screen of the files, from the folder on. */
const screens: [string, (drive: Drive, page: Page) => Promise<void>][] = [
  ['folder', (drive) => drive.entry('notes.txt').waitFor()],
  [
    'found',
    async (drive) => {
      await drive.search('reef')
      await drive.entry('reef map.txt').waitFor()
    },
  ],
  [
    'nothing-found',
    async (drive, page) => {
      await drive.search('nothing of this name')
      await page.getByText(drive.t('search.none')).waitFor()
    },
  ],
  ['selected', (drive) => drive.pickSome(['notes.txt', 'reef.png', 'Trips'])],
  [
    'move-several',
    async (drive) => {
      await drive.pickSome(['notes.txt', 'reef.png'])
      await drive.press(drive.t('drive.move'))
    },
  ],
  [
    'delete-several',
    async (drive) => {
      await drive.pickSome(['notes.txt', 'reef.png'])
      await drive.press(drive.t('drive.delete'))
    },
  ],
  ['preview-picture', (drive) => drive.entry('reef.png').click()],
  ['preview-text', (drive) => drive.entry('notes.txt').click()],
  ['preview-pdf', (drive) => drive.entry('chart.pdf').click()],
  [
    'page',
    async (drive, page) => {
      await showLargeFolder(page)
      await page.getByText(drive.t('pager.range_other', { from: '1', to: '6', all: '7,200' })).waitFor()
    },
  ],
  [
    'sessions',
    async (drive, page) => {
      await trySigningIn('2001:db8:1:2::7', 'wrong')
      await trySigningIn('198.51.100.7', password)
      await page.goto(new URL('/sessions', page.url()).href)
      await page.getByText(drive.t('sessions.current'), { exact: true }).waitFor()
    },
  ],
]

/** The folder as if it had 7200 entries, of which its own are a page. */
export async function showLargeFolder(page: Page): Promise<void> {
  await page.route('**/api/drive/list?*', async (route) => {
    const answer = await route.fetch()
    const offset = Number(new URL(route.request().url()).searchParams.get('offset'))
    await route.fulfill({ response: answer, json: { ...(await answer.json()), offset, total: 7200 } })
  })
  await page.reload()
}

/** As somebody at another address does. */
export async function trySigningIn(address: string, typed: string, at = server): Promise<void> {
  const headers = {
    'x-forwarded-for': address,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  await at.ask('POST /api/session', { body: { name: 'reef', password: typed }, headers, asStranger: true })
}

/** The screens that most of the others are made of. */
const common = ['folder', 'selected', 'move-several', 'preview-picture']

/** The common screens in one language, or all others. */
export function describeDriveScreens(locale: Locale, which: 'common' | 'others'): void {
  it.each(screens.filter(([name]) => common.includes(name) === (which === 'common')))(
    `the screen %s of the drive has no barrier in ${locale}`,
    async (name, open) => {
      await using tab = await openDrive(locale, { showsPdf: name === 'preview-pdf' })
      const { page, drive } = tab
      await open(drive, page)
      expect([...(await checkLayouts(page, locale, `drive-${name}`)), ...tab.complaints]).toEqual([])
    },
  )
}
