/**
 * Single files of backups on the personal server, as its owner gets them back: found in a folder of a backup,
 * downloaded, and put back into the drive. The agent, restic and the repository are real. Each screen in both
 * languages and colour schemes: no barrier that axe finds (in English on a desk, in Chinese on a phone), nothing to
 * scroll sideways for.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@atoll/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { password as backupPassword } from '../../apps/agent/src/backup/testing/backup-world.ts'
import { type KeptWorld, openKeptWorld } from '../../apps/agent/src/backup/testing/kept-world.ts'
import { password } from '../../apps/agent/src/testing/active-agent.ts'
import { checkLayouts } from '../stack/accessibility.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { needRestic } from '../stack/backups.ts'
import { desktop, launchBrowser, openScreen } from '../stack/browser.ts'
import { serverTexts } from '../stack/texts.ts'

let browser: Browser
let kept: KeptWorld
beforeAll(async () => {
  const restic = await needRestic()
  ;[browser, kept] = await Promise.all([launchBrowser(), openKeptWorld(restic, fill)])
})
afterAll(async () => {
  await browser?.close()
  await kept?.[Symbol.asyncDispose]()
})

const photos = 401

async function fill(drive: string): Promise<void> {
  for (const folder of ['Trips', 'Photos', 'Empty']) mkdirSync(join(drive, folder))
  writeFileSync(join(drive, 'notes.txt'), 'Low tide at noon')
  writeFileSync(join(drive, 'Trips/reef map.txt'), 'Here be corals')
  for (let at = 1; at <= photos; at += 1) writeFileSync(join(drive, `Photos/photo ${at}.jpg`), `${at}`)
  writeFileSync(Buffer.concat([Buffer.from(join(drive, 'Trips/')), Buffer.from([0xff, 0xfe])]), 'any bytes')
  await symlink('/etc', join(drive, 'Trips/elsewhere'))
}

async function openBackups(locale: Locale = 'en-US', path = '/backups') {
  const { page, context, complaints } = await openScreen(browser, { locale, viewport: desktop })
  await page.goto(`http://127.0.0.1:${kept.server.agent.port}/`)
  await personalServerApp(page, locale).signIn('reef', password)
  await page.goto(`http://127.0.0.1:${kept.server.agent.port}${path}`)
  return { page, complaints, app: backupsApp(page, locale), [Symbol.asyncDispose]: () => context.close() }
}

type App = ReturnType<typeof backupsApp>

function backupsApp(page: Page, locale: Locale) {
  const t = serverTexts(locale)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })
  return {
    t,
    button,
    row,
    heading: (name: string) => page.getByRole('heading', { name, exact: true }),
    /** Opens the one backup that is kept. */
    openKept: () => page.getByRole('listitem').getByRole('link').click(),
    open: (name: string) => row(name).getByRole('link').click(),
    async choose(name: string, action: string): Promise<void> {
      await button(t('drive.actions', { name })).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    },
  }
}

it('downloads a file of a backup, and puts it back beside and in the place of what is there', async () => {
  await using tab = await openBackups()
  const { page, app } = tab
  await app.openKept()
  await app.open('Trips')
  await app.heading('Trips').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), app.open('reef map.txt')])
  expect(readFileSync(await download.path(), 'utf8')).toBe('Here be corals')
  expect(download.suggestedFilename()).toBe('reef map.txt')
  // Its name is no text.
  const [odd] = await Promise.all([page.waitForEvent('download'), app.open('\ufffd\ufffd')])
  expect(readFileSync(await odd.path(), 'utf8')).toBe('any bytes')

  const map = join(kept.drive, 'Trips/reef map.txt')
  const putBack = async (replace = false) => {
    await app.choose('reef map.txt', app.t('backups.putBack'))
    if (replace) await page.getByLabel(app.t('backups.replace'), { exact: true }).check()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: app.t(replace ? 'backups.replaceDo' : 'backups.putBack') })
      .click()
    await page.getByRole('dialog', { name: app.t('backups.putBackDone') }).waitFor()
  }
  await rm(map)
  await putBack()
  expect(readFileSync(map, 'utf8')).toBe('Here be corals')
  await page.keyboard.press('Escape')

  writeFileSync(map, 'Newer')
  await putBack()
  const beside = app.t('backups.besideName', { name: 'reef map', day: '23 Nov 2026' })
  await page.getByText(`/Trips/${beside}.txt`).waitFor()
  expect(readFileSync(join(kept.drive, `Trips/${beside}.txt`), 'utf8')).toBe('Here be corals')
  expect(readFileSync(map, 'utf8')).toBe('Newer')
  await page.keyboard.press('Escape')

  await putBack(true)
  expect(readFileSync(map, 'utf8')).toBe('Here be corals')
  const [, was = ''] = /now “(.*)”/.exec(await page.getByRole('dialog').innerText()) ?? []
  expect(readFileSync(join(kept.drive, 'Trips', was), 'utf8')).toBe('Newer')
  await page.getByRole('link', { name: app.t('backups.openFolder') }).click()
  await page.getByText(was, { exact: true }).waitFor()
  expect(tab.complaints).toEqual([])
})

it('pages through a large folder, and finds names in it', async () => {
  await using tab = await openBackups()
  const { page, app } = tab
  await app.openKept()
  await app.open('Photos')
  await app.row('photo 200.jpg').waitFor()
  await page.getByText(app.t('backups.range_other', { from: 1, to: 200, all: photos })).waitFor()
  await app.button(app.t('backups.next')).click()
  await app.row('photo 201.jpg').waitFor()
  await app.button(app.t('backups.next')).click()
  await page.getByText(app.t('backups.range_other', { from: 401, to: 401, all: photos })).waitFor()
  expect(await app.button(app.t('backups.next')).isDisabled()).toBe(true)
  await page.getByRole('search').getByRole('textbox').fill('PHOTO 39')
  await page.getByText(app.t('backups.range_other', { from: 1, to: 14, all: 14 })).waitFor()
  await page.getByRole('search').getByRole('textbox').fill('no such name')
  await page.getByText(app.t('backups.noMatch')).waitFor()
  await page.reload()
  await page.getByText(app.t('backups.noMatch')).waitFor()
  expect(tab.complaints).toEqual([])
})

/** Every screen, from the list on; `away`: what is not there. */
const screens: [
  string,
  (app: App, page: Page) => Promise<void>,
  ('control' | 'vault' | 'password' | 'kept' | 'snapshot')?,
][] = [
  ['list', (app) => app.heading('Everything').waitFor()],
  ['none', (app) => app.heading(app.t('backups.noneTitle')).waitFor(), 'kept'],
  ['locked', (app) => app.button(app.t('backups.unlock')).waitFor(), 'password'],
  ['console-away', (app) => app.heading(app.t('backups.failedTitle')).waitFor(), 'control'],
  [
    'folder',
    async (app) => {
      await app.openKept()
      await app.open('Trips')
      await app.row('elsewhere').waitFor()
    },
  ],
  [
    'large-folder',
    async (app) => {
      await app.openKept()
      await app.open('Photos')
      await app.row('photo 1.jpg').waitFor()
    },
  ],
  [
    'empty-folder',
    async (app) => {
      await app.openKept()
      await app.open('Empty')
      await app.heading(app.t('backups.emptyTitle')).waitFor()
    },
  ],
  [
    'backup-gone',
    async (app, page) => {
      await app.openKept()
      await page.getByText(app.t('problem.backupGone'), { exact: true }).waitFor()
    },
    'snapshot',
  ],
  [
    'vault-away',
    async (app, page) => {
      await app.openKept()
      await page.getByText(app.t('problem.vaultAway'), { exact: true }).waitFor()
    },
    'vault',
  ],
  [
    'put-back',
    async (app, page) => {
      await app.openKept()
      await app.choose('notes.txt', app.t('backups.putBack'))
      await page.getByLabel(app.t('backups.replace'), { exact: true }).check()
    },
  ],
]

it.each(screens)('has no barrier: %s', async (name, open, away) => {
  const passwords = join(kept.world.home.folder, 'backup/passwords.json')
  const before = readFileSync(passwords)
  const all = kept.control.kept
  if (away === 'password') await rm(passwords)
  if (away === 'kept') kept.control.kept = []
  kept.control.isAway = away === 'control'
  // One that nobody has opened yet, and that is not there.
  if (away === 'vault' || away === 'snapshot')
    kept.control.kept = all.map((each) => ({
      ...each,
      snapshots: each.snapshots.map((snapshot) => ({ ...snapshot, snapshotId: '1'.repeat(64) })),
    }))
  if (away === 'vault') kept.vault.answer = () => 503
  const found: string[] = []
  for (const locale of ['en-US', 'zh-CN'] as const) {
    await using tab = await openBackups(locale)
    const { page, app } = tab
    await open(app, page)
    found.push(...(await checkLayouts(page, locale, `backups-${name}`)))
    // A refusal is what this screen is about.
    if (away === undefined || away === 'kept' || away === 'password') found.push(...tab.complaints)
  }
  writeFileSync(passwords, before)
  kept.control.kept = all
  kept.control.isAway = false
  kept.vault.answer = () => undefined
  expect(found).toEqual([])
})

it('takes the password of a backup that is locked', async () => {
  await rm(join(kept.world.home.folder, 'backup/passwords.json'))
  await using tab = await openBackups()
  const { page, app } = tab
  const field = page.getByLabel(app.t('backups.password'), { exact: true })
  await field.fill('another password')
  await app.button(app.t('backups.unlock')).click()
  await page.getByText(app.t('problem.wrongPassword'), { exact: true }).waitFor()
  await field.fill(backupPassword)
  await app.button(app.t('backups.unlock')).click()
  await app.openKept()
  await app.row('notes.txt').waitFor()
})
