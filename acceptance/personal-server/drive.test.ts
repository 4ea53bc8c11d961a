/**
 * The files of a personal server, as their owner uses them: sorted, searched, previewed, and several at once. Each of
 * these screens, in both languages and colour schemes: no barrier that axe finds (in English on a desk, in Chinese on a
 * phone), nothing to scroll sideways for.
 */
import { readFileSync } from 'node:fs'
import type { Locale } from '@atoll/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ActiveAgent, password, startActiveAgent } from '../../apps/agent/src/testing/active-agent.ts'
import { checkLayouts } from '../stack/accessibility.ts'
import { driveApp } from '../stack/apps/drive-app.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { desktop, keepPicture, launchWholeBrowser, openScreen } from '../stack/browser.ts'
import { waitForRest } from '../stack/settled.ts'

let browser: Browser
let server: ActiveAgent
beforeAll(async () => {
  ;[browser, server] = await Promise.all([launchWholeBrowser(), startActiveAgent()])
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
  await server?.[Symbol.asyncDispose]()
})

async function put(path: string, body: Buffer | string): Promise<void> {
  const { status } = await server.ask(`PUT /api/drive/file?path=${encodeURIComponent(path)}`, { body })
  expect(status).toBe(201)
}

/** Names in the folder, as the server has them. */
async function namesIn(path: string): Promise<string[]> {
  const { json } = await server.ask(`GET /api/drive/list?path=${encodeURIComponent(path)}`)
  return json.entries.map(({ name }: { name: string }) => name)
}

async function openDrive(locale: Locale = 'en-US') {
  const { page, context, complaints } = await openScreen(browser, { locale, viewport: desktop })
  await page.goto(`http://127.0.0.1:${server.agent.port}/`)
  await personalServerApp(page, locale).signIn('reef', password)
  return { page, complaints, drive: driveApp(page, locale), [Symbol.asyncDispose]: () => context.close() }
}

it('sorts by each column, both ways', async () => {
  await using tab = await openDrive()
  const { drive } = tab
  const all = ['Trips', 'chart.pdf', 'data2.bin', 'data10.bin', 'notes.txt', 'reef.png']
  await expect.poll(drive.names).toEqual(all)
  await drive.sort('name')
  await expect.poll(drive.names).toEqual(['Trips', ...all.slice(1).toReversed()])
  await drive.sort('size')
  await expect.poll(async () => (await drive.names()).slice(-2)).toEqual(['notes.txt', 'data10.bin'])
  await drive.sort('size')
  await expect.poll(async () => (await drive.names()).slice(0, 3)).toEqual(['Trips', 'data10.bin', 'notes.txt'])
  expect(tab.complaints).toEqual([])
})

it('searches the folder and all below it, and shows what was found', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await drive.search('REEF')
  await page.getByText(drive.t('search.found_other', { count: 2 })).waitFor()
  expect(await drive.names()).toEqual(['reef map.txt', 'reef.png'])
  await drive.entry('reef map.txt').click()
  await drive.dialog('reef map.txt').getByText('Here be corals').waitFor()
  await page.keyboard.press('Escape')
  await drive.search('nothing of this name')
  await page.getByText(drive.t('search.none')).waitFor()
  await page.keyboard.press('Escape')
  await drive.entry('notes.txt').waitFor()
  expect(tab.complaints).toEqual([])
})

it('shows pictures, PDF and text, and never runs what was uploaded', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  const script = '<script>top.document.title = document.title = "stolen"</script>'
  await put('/page.html', `<!doctype html>${script}`)
  await put('/drawing.svg', `<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`)
  await put('/false.pdf', `<!doctype html>${script}`)
  await page.reload()
  await drive.entry('reef.png').click()
  const picture = drive.dialog('reef.png').getByRole('img', { name: 'reef.png' })
  await expect.poll(() => picture.evaluate((image) => ('naturalWidth' in image ? image.naturalWidth : 0))).toBe(320)
  await keepPicture(page, 'drive-picture')
  await page.keyboard.press('Escape')
  await drive.entry('chart.pdf').press('Enter')
  const frame = await (await drive.dialog('chart.pdf').locator('iframe').elementHandle())?.contentFrame()
  await expect.poll(() => frame?.url()).toContain('/api/drive/file?path=%2Fchart.pdf&inline=1')
  await keepPicture(page, 'drive-pdf')
  await drive.closeDialog('chart.pdf')
  for (const name of ['page.html', 'drawing.svg']) {
    await drive.entry(name).click()
    await drive.dialog(name).getByText(script).waitFor()
    await drive.closeDialog(name)
  }
  expect(tab.complaints).toEqual([])
  await drive.entry('false.pdf').click()
  await drive.dialog('false.pdf').locator('iframe').waitFor()
  await waitForRest(page)
  expect(await page.title()).not.toBe('stolen')
  for (const name of ['page.html', 'drawing.svg', 'false.pdf'])
    await server.ask(`DELETE /api/drive/entry?path=/${name}`)
})

it('downloads, moves and deletes several at once', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  const names = Array.from({ length: 12 }, (_, index) => `many${index + 1}.bin`)
  for (const name of names) await put(`/${name}`, name)
  await page.reload()
  for (const name of names) await drive.pick(name).press('Space')
  const focused = () => page.evaluate<string>('document.activeElement.tagName')
  const contents = new Map<string, string>()
  page.on('download', async (download) => {
    contents.set(download.suggestedFilename(), readFileSync(await download.path(), 'utf8'))
  })
  await drive.press(drive.t('select.download_other', { count: 12 }))
  await expect.poll(() => [...contents].toSorted()).toEqual(names.map((name) => [name, name]).toSorted())

  await drive.press(drive.t('drive.move'))
  const moving = drive.dialog(drive.t('move.manyTitle_other', { count: 12 }))
  await moving.getByRole('button', { name: 'Trips', exact: true }).click()
  await drive.press(drive.t('move.submit'))
  await moving.waitFor({ state: 'detached' })
  await expect.poll(drive.names).not.toContain('many1.bin')
  await expect.poll(focused).toBe('H1')
  expect(await namesIn('/Trips')).toEqual(['2026', ...names])

  await drive.entry('Trips').click()
  await drive.entry('many1.bin').waitFor()
  await page.getByRole('checkbox', { name: drive.t('select.all'), exact: true }).check()
  await drive.pick('2026').uncheck()
  await drive.press(drive.t('drive.delete'))
  const deleting = drive.dialog(drive.t('remove.manyTitle_other', { count: 12 }))
  await deleting.getByRole('button', { name: drive.t('remove.go'), exact: true }).click()
  await deleting.waitFor({ state: 'detached' })
  await expect.poll(drive.names).toEqual(['2026'])
  await expect.poll(focused).toBe('H1')
  expect(await namesIn('/Trips')).toEqual(['2026'])
  expect(tab.complaints).toEqual([])
})

it('says which of several could not be moved, and goes on from there', async () => {
  await using tab = await openDrive()
  const { page, drive } = tab
  await put('/Trips/b.bin', 'taken')
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await put(`/${name}`, name)
  await page.reload()
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await drive.pick(name).check()
  await drive.press(drive.t('drive.move'))
  const moving = drive.dialog(drive.t('move.manyTitle_other', { count: 3 }))
  await moving.getByRole('button', { name: 'Trips', exact: true }).click()
  await drive.press(drive.t('move.submit'))
  await moving.getByText(drive.t('select.stopped', { name: 'b.bin', problem: drive.t('problem.exists') })).waitFor()
  await server.ask('DELETE /api/drive/entry?path=/Trips/b.bin')
  await drive.press(drive.t('move.submit'))
  await moving.waitFor({ state: 'detached' })
  expect(await namesIn('/Trips')).toEqual(['2026', 'a.bin', 'b.bin', 'c.bin'])
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await server.ask(`DELETE /api/drive/entry?path=/Trips/${name}`)
})

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
]

it.each(screens)('has no barrier: %s', async (name, open) => {
  const found: string[] = []
  for (const locale of ['en-US', 'zh-CN'] as const) {
    await using tab = await openDrive(locale)
    const { page, drive } = tab
    await open(drive, page)
    found.push(...(await checkLayouts(page, locale, `drive-${name}`)))
    found.push(...tab.complaints)
  }
  expect(found).toEqual([])
})
