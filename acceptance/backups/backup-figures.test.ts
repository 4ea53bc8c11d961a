/** The page of a backup describes its drills. */
import { expect, it } from 'vitest'
import { shareConsole } from '../stack/shared-console.ts'

const { openPage } = shareConsole()
const unequal = 'What came back is not what was backed up.'
const noRoom = 'There was no room for a machine to drill on. It is tried again a day later.'

it.each([
  ['a failed drill', 'bk_sample0006', [unequal, noRoom]],
  ['a drill on the same host', 'bk_sample0007', ['38,412 files, all equal, on the same host']],
] as const)('what came of %s stays shown, whatever came after it', async (_, id, sentences) => {
  const { page, app } = await openPage(`/backupDetails/${id}`)
  const figure = page.locator('dl > div').filter({ hasText: app.t('backups.lastDrill') })
  await figure.waitFor()
  for (const sentence of sentences) expect(await figure.innerText()).toContain(sentence)
})

it('the breadcrumb ends with the name of the backup, on its first page and on the next', async () => {
  const { page, app } = await openPage('/backupDetails/bk_sample0004')
  const crumb = (name: string) => page.locator('header').getByText(name, { exact: true })
  await crumb('Ledgers').waitFor()
  await page.getByText(app.t('backups.whatDamaged'), { exact: true }).waitFor()
  await page
    .locator('header')
    .getByRole('link', { name: app.t('shell.backups') })
    .click()
  await page.getByRole('link', { name: 'Music', exact: true }).click()
  await crumb('Music').waitFor()
  expect(await crumb('Ledgers').count()).toBe(0)
})

it('a run that is under way shows in its row how long it has taken so far', async () => {
  const { page, app } = await openPage('/backupDetails/bk_sample0001')
  const shown = new RegExp(`^${app.t('backups.soFar', { time: '(\\d+:\\d\\d)' })}$`)
  const cell = page.getByRole('cell').filter({ hasText: shown })
  const before = await cell.innerText()
  await expect.poll(() => cell.innerText()).not.toBe(before)
})
