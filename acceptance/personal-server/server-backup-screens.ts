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
import { type KeptHarness, openKeptHarness } from '../../apps/agent/src/backup/testing/kept-harness.ts'
import { password } from '../../apps/agent/src/testing/active-agent.ts'
import { checkLayouts } from '../stack/accessibility.ts'
import { personalServerApp } from '../stack/apps/personal-server-app.ts'
import { needRestic } from '../stack/backups.ts'
import { desktop, launchBrowser, openScreen } from '../stack/browser.ts'
import { serverTexts } from '../stack/texts.ts'

let browser: Browser
export let kept: KeptHarness
beforeAll(async () => {
  const restic = await needRestic()
  ;[browser, kept] = await Promise.all([launchBrowser(), openKeptHarness(restic, fill)])
})
afterAll(async () => {
  await browser?.close()
  await kept?.[Symbol.asyncDispose]()
})

export const photos = 401

async function fill(drive: string): Promise<void> {
  for (const folder of ['Trips', 'Photos', 'Empty']) mkdirSync(join(drive, folder))
  writeFileSync(join(drive, 'notes.txt'), 'Low tide at noon')
  writeFileSync(join(drive, 'Trips/reef map.txt'), 'Here be corals')
  for (let at = 1; at <= photos; at += 1) writeFileSync(join(drive, `Photos/photo ${at}.jpg`), `${at}`)
  writeFileSync(Buffer.concat([Buffer.from(join(drive, 'Trips/')), Buffer.from([0xff, 0xfe])]), 'any bytes')
  await symlink('/etc', join(drive, 'Trips/elsewhere'))
}

export async function openBackups(locale: Locale = 'en-US', path = '/backups') {
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

/** The screens that most of the others are made of. */
const common = ['list', 'locked', 'folder', 'put-back']

/** The common screens in one language, or all others. */
export function describeBackupScreens(locale: Locale, which: 'common' | 'others'): void {
  it.each(screens.filter(([name]) => common.includes(name) === (which === 'common')))(
    `the screen %s has no barrier in ${locale}`,
    async (name, open, away) => {
      const passwords = join(kept.harness.home.folder, 'backup/passwords.json')
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
      await using tab = await openBackups(locale)
      const { page, app } = tab
      await open(app, page)
      found.push(...(await checkLayouts(page, locale, `backups-${name}`)))
      // A refusal is what this screen is about.
      if (away === undefined || away === 'kept' || away === 'password') found.push(...tab.complaints)
      writeFileSync(passwords, before)
      kept.control.kept = all
      kept.control.isAway = false
      kept.vault.answer = () => undefined
      expect(found).toEqual([])
    },
  )
}
