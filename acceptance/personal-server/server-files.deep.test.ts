/**
 * Single files of backups on the personal server, as its owner gets them back: found in a folder of a backup,
 * downloaded, and put back into the drive. The agent, restic and the repository are real.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { password as backupPassword } from '../../apps/agent/src/backup/testing/backup-harness.ts'

import { kept, openBackups, photos } from './server-backup-screens.ts'

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
  const zipOf = app.button(app.t('backups.downloadZip'))
  const [zip] = await Promise.all([page.waitForEvent('download'), zipOf.click()])
  expect(zip.suggestedFilename()).toBe('Trips.zip')
  expect(readFileSync(await zip.path()).includes('reef map.txt')).toBe(true)
  await page.goBack()
  await app.row('Trips').waitFor()
  const [same] = await Promise.all([page.waitForEvent('download'), app.choose('Trips', app.t('backups.downloadZip'))])
  expect(same.suggestedFilename()).toBe('Trips.zip')
  await app.open('Trips')
  await app.heading('Trips').waitFor()

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
  const [, was = ''] = /now named “(.*)”/.exec(await page.getByRole('dialog').innerText()) ?? []
  expect(readFileSync(join(kept.drive, 'Trips', was), 'utf8')).toBe('Newer')
  await page.getByRole('link', { name: app.t('backups.openFolder') }).click()
  await page.getByRole('button', { name: was, exact: true }).waitFor()
  expect(tab.complaints).toEqual([])
})

it('pages through a large folder, and finds names in it', async () => {
  await using tab = await openBackups()
  const { page, app } = tab
  await app.openKept()
  await app.open('Photos')
  await app.row('photo 200.jpg').waitFor()
  await page.getByText(app.t('pager.range_other', { from: 1, to: 200, all: photos })).waitFor()
  await app.button(app.t('pager.next')).click()
  await app.row('photo 201.jpg').waitFor()
  await app.button(app.t('pager.next')).click()
  await page.getByText(app.t('pager.range_other', { from: 401, to: 401, all: photos })).waitFor()
  expect(await app.button(app.t('pager.next')).isDisabled()).toBe(true)
  await page.getByRole('search').getByRole('textbox').fill('PHOTO 39')
  await page.getByText(app.t('pager.range_other', { from: 1, to: 14, all: 14 })).waitFor()
  await page.getByRole('search').getByRole('textbox').fill('no such name')
  await page.getByText(app.t('backups.noMatch')).waitFor()
  await page.reload()
  await page.getByText(app.t('backups.noMatch')).waitFor()
  expect(tab.complaints).toEqual([])
})

it('takes the password of a backup that is locked', async () => {
  await rm(join(kept.harness.home.folder, 'backup/passwords.json'))
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
