/**
 * Backups in a real browser: an owner makes one with a password of their own, sees it run, and has its files back in a
 * new folder, with the real agent, restic and vault behind the pages.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCluster } from '@atoll/contract/clusters'
import { type ServerProcess, startServer, until } from '@atoll/testkit'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureRestic } from '../scripts/restic.ts'
import { findBarriers } from './stack/accessibility.ts'
import { desktop, keepPicture, launchBrowser, phone } from './stack/browser.ts'
import { composeOrder, waitForStatus } from './stack/clusters.ts'
import { openTab } from './stack/console-tab.ts'
import { createPerson } from './stack/people.ts'

let server: ServerProcess
let browser: Browser
beforeAll(async () => {
  const restic = await ensureRestic((text) => process.stdout.write(`${text}\n`))
  if (restic === undefined) throw new Error('there is no restic to test with')
  ;[server, browser] = await Promise.all([startServer({ env: { RESTIC: restic } }), launchBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await server?.dispose()
})

const password = 'quiet lagoons at low tide'

/** The folder of the files of the only instance. */
function findDrive(): string {
  const all = readdirSync(join(server.dataDir, 'homes'), { recursive: true, encoding: 'utf8' })
  const drive = all.find((path) => path.endsWith('/drive'))
  if (drive === undefined) throw new Error('no instance has a drive')
  return join(server.dataDir, 'homes', drive)
}

it('makes a backup, shows it run, and brings the files back into a new folder', async () => {
  const { api, session } = await createPerson(server.url)
  const { clusterId } = await api.ask(createCluster, await composeOrder(api, { name: 'Rangiroa' }))
  await waitForStatus(api, clusterId, ['inactivated', 'running'])
  const drive = findDrive()
  writeFileSync(join(drive, 'reef.txt'), 'Here be corals')

  const tab = await openTab(browser, server.url, { viewport: desktop, accounts: [session] })
  const { page, app } = tab
  await page.goto('/backup')
  await app.button(app.t('backups.new')).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(app.t('backups.name'), { exact: true }).fill('All my files')
  await app.button(app.t('backups.continue'), dialog).click()
  await dialog.getByLabel(app.t('backups.password'), { exact: true }).fill('short')
  await app.button(app.t('backups.create'), dialog).click()
  await dialog.getByText(app.t('backups.passwordShort_other', { count: 10 }), { exact: true }).waitFor()
  await dialog.getByLabel(app.t('backups.password'), { exact: true }).fill(password)
  await dialog.getByLabel(app.t('backups.passwordAgain'), { exact: true }).fill(password)
  await keepPicture(page, 'backup-password')
  await app.button(app.t('backups.create'), dialog).click()

  await app.heading('All my files').waitFor()
  const row = page.getByRole('row').filter({ hasText: app.t('backups.Fully') })
  await row.getByText(app.t('backups.completed'), { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await keepPicture(page, 'backup-completed')

  await app.button(app.t('backups.restore'), row).click()
  await app.button(app.t('backups.restoreFolder'), page.getByRole('dialog')).click()
  await page.getByText(app.t('backups.restored_one', { count: 1, size: '14 B' }), { exact: false }).waitFor()
  const folder = await until('the new folder is there', async () =>
    readdirSync(drive).find((name) => name.startsWith('Restored ')),
  )
  const restored = readdirSync(join(drive, folder), { recursive: true, encoding: 'utf8' })
  const file = restored.find((path) => path.endsWith('reef.txt')) ?? ''
  expect(readFileSync(join(drive, folder, file), 'utf8')).toBe('Here be corals')
  await keepPicture(page, 'backup-restored')
  expect(tab.complaints).toEqual([])

  // No file of ours, log and database included, holds the password; the machine's own copy apart.
  const found = execFileSync('sh', ['-c', 'grep -rlaF -e "$1" "$2" || true', 'sh', password, server.dataDir])
  expect(
    found
      .toString()
      .split('\n')
      .filter((path) => path !== '' && !path.includes('/homes/')),
  ).toEqual([])
  expect(server.log.join('\n')).not.toContain(password)

  const other = await openTab(browser, server.url, { locale: 'zh-CN', viewport: phone, accounts: [session] })
  await other.page.goto(page.url())
  await other.app.heading('All my files').waitFor()
  await other.page.getByText(other.app.t('backups.completed'), { exact: true }).first().waitFor()
  await keepPicture(other.page, 'backup-completed-phone')
  expect(await findBarriers(other.page)).toEqual([])
})
