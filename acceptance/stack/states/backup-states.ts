import type { ConsoleTab } from '../console-tab.ts'
import { sampleBackupId } from '../samples/sample-backups.ts'
import type { ConsoleState } from './console-state.ts'
import { page } from './ways.ts'

/** Backups, their files, and restoring. */
export const backupStates: readonly ConsoleState[] = [
  { name: 'backups', path: '/backup' },
  { name: 'backup, running', path: `/backupDetails/${sampleBackupId}` },
  { name: 'backup, without its password', path: '/backupDetails/bk_sample0002' },
  { name: 'backup, damaged and suspicious', path: '/backupDetails/bk_sample0004' },
  { name: 'backup, being deleted', path: '/backupDetails/bk_sample0003' },
  { name: 'backup, its proof old and files gone, while it is restored', path: '/backupDetails/bk_sample0005' },
  { name: 'backup, its drill and its restore failed', path: '/backupDetails/bk_sample0006' },
  { name: 'backup, its drill under way', path: '/backupDetails/bk_sample0007' },
  {
    name: 'backup, files of a snapshot',
    path: `/backupDetails/${sampleBackupId}?snapshot=sn_sample0001`,
    open: async ({ page: view, app }) => {
      const [folder, one] = [
        app.button('Uni'),
        view.getByRole('checkbox', { name: app.t('backups.look.chooseOne', { name: 'Thesis' }), exact: true }),
      ]
      // Opened again at the next width, it is in the folder already.
      await folder.or(one).waitFor()
      if (await folder.isVisible()) await folder.click()
      await one.check()
      await app.button(app.t('backups.look.restoreCount_other', { count: 214, files: '214' })).waitFor()
    },
  },
  {
    name: 'backup, files of a snapshot, without its password',
    path: '/backupDetails/bk_sample0002?snapshot=sn_sample0002',
    open: async ({ app }) => {
      await app.button(app.t('backups.look.showNames')).waitFor()
    },
  },
  {
    name: 'backup, files of a snapshot, whose machine is away',
    path: '/backupDetails/bk_sample0008?snapshot=sn_sample0008',
    open: async ({ page: view, app }) => {
      await view.getByText(app.t('backups.look.readHere'), { exact: true }).waitFor()
    },
  },
  { name: 'backup, not here', path: '/backupDetails/bk_nowhere00' },
  { name: 'cluster, restoring', path: page('restoring') },
  { name: 'cluster, its backup password wrong', path: page('restore_error') },
  ...(['when', 'keep'] as const).map((what) => ({
    name: `changing a backup's plan, ${what}`,
    path: `/backupDetails/${sampleBackupId}`,
    open: async ({ page: view, app }: ConsoleTab) => {
      const label = app.t('common.labelled', { label: app.t(`backups.${what}`), value: app.t('backups.change') })
      await app.button(label).click()
      const dialog = view.getByRole('dialog')
      await dialog.waitFor()
      if (what === 'keep') await dialog.getByText(app.t('backups.goesHelp'), { exact: true }).waitFor()
    },
  })),
  {
    name: 'new backup',
    path: '/backup',
    open: async ({ page: view, app }) => {
      await app.button(app.t('backups.new')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'new backup, given up with its name typed',
    path: '/backup',
    open: async ({ page: view, app }) => {
      await app.button(app.t('backups.new')).click()
      await view.getByRole('dialog').getByRole('textbox').first().fill('Ledgers')
      await view.keyboard.press('Escape')
      await app.button(app.t('dialog.discardKeep')).waitFor()
    },
  },
  {
    name: 'restoring a snapshot',
    path: `/backupDetails/${sampleBackupId}`,
    open: async ({ page: view, app }) => {
      await view.locator('td').getByText(app.t('backups.restore'), { exact: true }).first().click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'forgetting a pinned snapshot',
    path: `/backupDetails/${sampleBackupId}`,
    open: async ({ page: view, app }) => {
      await view.locator('main [aria-haspopup="menu"]').first().click()
      await view.getByRole('menuitem', { name: app.t('backups.forget') }).click()
      await view.getByRole('dialog').getByRole('textbox').waitFor()
    },
  },
  {
    name: 'restoring with restic alone',
    path: `/backupDetails/${sampleBackupId}`,
    open: async ({ page: view, app }) => {
      const command = view.getByText('restic restore latest')
      if (!(await command.isVisible())) await app.button(app.t('backups.aloneAct')).click()
      await command.waitFor()
    },
  },
  {
    name: 'changing a backup password',
    path: `/backupDetails/${sampleBackupId}`,
    open: async ({ page: view, app }) => {
      const label = app.t('common.labelled', { label: app.t('backups.password'), value: app.t('backups.change') })
      await view.getByRole('button', { name: label, exact: true }).click()
      await view.getByRole('dialog').waitFor()
    },
  },
]
