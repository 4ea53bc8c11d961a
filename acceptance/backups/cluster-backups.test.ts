/** Backups from where one is: the tab of a cluster's page, and the palette. */
import { backupList, backupRun } from '@atoll/contract/backups'
import { expect, it } from 'vitest'
import { sampleClusters } from '../stack/samples/sample-clusters.ts'
import { shareConsole } from '../stack/shared-console.ts'

const { server, openPage } = shareConsole()
const [own, other] = sampleClusters
if (!own || !other) throw new Error('the sample has too few clusters')

it('the tab of a cluster has its backups, and a new one is of that cluster', async () => {
  const list = backupList.data.parse(server.answers.get(backupList))
  const [first] = list.backups
  if (!first) throw new Error('the sample has no backup')
  const { clusterId, name: clusterName } = other
  const elsewhere = { ...first, backupId: 'bk_elsewhere01', name: 'Elsewhere', clusterId, clusterName }
  const [machine] = list.machines
  const machines = machine ? [{ ...machine, clusterId, clusterName }, machine] : []
  server.answers.set(backupList, { ...list, backups: [elsewhere, ...list.backups], machines })
  const { page, app } = await openPage(`/cluster/${own.clusterId}?tab=backups`)
  await page.getByRole('link', { name: first.name, exact: true }).waitFor()
  expect(await page.getByText('Elsewhere').count()).toBe(0)
  await app.button(app.t('backups.new')).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  // One of several would be a choice.
  expect(await dialog.getByText(other.name).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.goto(`/cluster/${other.clusterId}?tab=backups`)
  await page.getByRole('link', { name: 'Elsewhere', exact: true }).waitFor()
  expect(await page.getByRole('link', { name: first.name, exact: true }).count()).toBe(0)
})

it('a cluster of somebody else says that only its owner can back it up', async () => {
  const { page, app } = await openPage(`/cluster/${other.clusterId}?tab=backups`)
  await page.getByText(app.t('backups.ownersOnly'), { exact: true }).waitFor()
  expect(await app.button(app.t('backups.new')).count()).toBe(0)
})

it('the palette finds a backup by its cluster, runs it, and shows the run', async () => {
  const { page, app } = await openPage('/')
  await app.card(own.name).waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: app.t('palette.name') })
  await field.fill('ledgers')
  await page.getByRole('option', { name: /^Ledgers/ }).waitFor()
  await field.fill(`${own.name} back up ledgers`)
  await page.getByRole('option', { name: new RegExp(`^${app.t('palette.backUp', { name: 'Ledgers' })}`) }).waitFor()
  await page.keyboard.press('Enter')
  await app.heading('Ledgers').waitFor()
  await expect.poll(() => server.asked).toContain(backupRun.path)
})
