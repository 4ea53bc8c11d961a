import type { ConsoleTab } from '../console-tab.ts'
import type { ConsoleState } from './console-state.ts'
import { fromMenu, menu, named, page } from './ways.ts'

const givenUp = named('errored', ({ givenUpAt }) => givenUpAt !== null)

/** Clusters, their instances and alerts, and the dialogs about them. */
export const clusterStates: readonly ConsoleState[] = [
  { name: 'clusters', path: '/' },
  { name: 'clusters, with first steps', path: '/', who: 'mailless' },
  { name: 'cluster, running', path: page('running') },
  { name: 'cluster, monitoring', path: page('running', '?tab=monitoring') },
  { name: 'cluster, monitoring of a week', path: page('running', '?tab=monitoring&range=7d') },
  { name: 'cluster, monitoring while it is stopped', path: page('stopped', '?tab=monitoring') },
  {
    name: 'cluster, the rule of an alert',
    path: page('running', '?tab=monitoring'),
    open: async ({ page: view, app }: ConsoleTab) => {
      await app.button(app.t('alerts.changeOf', { alert: app.t('alertKinds.disk.name') })).click()
      await view.getByRole('dialog').locator('svg path').first().waitFor()
    },
  },
  { name: 'alerts', path: '/alerts' },
  {
    name: 'alerts, a new rule',
    path: '/alerts',
    open: async ({ page: view, app }: ConsoleTab) => {
      await app.button(app.t('alerts.newRule')).click()
      await view.getByRole('dialog').locator('svg path').first().waitFor()
    },
  },
  { name: 'cluster, network', path: page('running', '?tab=network') },
  {
    name: 'cluster, network of an account that used up its traffic',
    path: page('running', '?tab=network'),
    who: 'overdue',
  },
  { name: 'cluster, history', path: page('running', '?tab=history') },
  { name: 'cluster, backups', path: page('running', '?tab=backups') },
  { name: 'cluster, without a backup', path: page('stopped', '?tab=backups') },
  { name: 'cluster, access', path: page('running', '?tab=access') },
  { name: 'cluster, settings', path: page('running', '?tab=settings') },
  { name: 'cluster, installing', path: page('installing') },
  { name: 'cluster, errored', path: page('errored') },
  { name: 'cluster, given up', path: `/cluster/${givenUp.clusterId}` },
  { name: 'cluster, giving up its machine', path: page('errored'), open: fromMenu('errored', 'giveUp') },
  { name: 'cluster, giving up its own machine', path: page('offline'), open: fromMenu('offline', 'giveUp') },
  { name: 'cluster, replacing its machine', path: page('offline'), open: fromMenu('offline', 'replaceMachine') },
  {
    name: 'cluster, the command that replaces its machine',
    path: page('offline'),
    async open(tab) {
      await fromMenu('offline', 'replaceMachine')(tab)
      await tab.app.button(tab.app.t('join.show'), tab.page.getByRole('dialog')).click()
      await tab.page.getByRole('dialog').locator('code').waitFor()
    },
  },
  { name: 'cluster, settings of a self-hosted one', path: page('offline', '?tab=settings') },
  { name: 'cluster, self-hosted, silent and copied', path: page('offline') },
  { name: 'cluster, self-hosted and awaited', path: page('queuing') },
  { name: 'cluster, not here', path: '/cluster/cl_nowhere00' },
  { name: 'cluster, unpaid', path: page('unpaid') },
  { name: 'cluster, to be confirmed', path: page('destroy_to_be_confirmed') },
  { name: 'instances', path: '/instance' },
  { name: 'clusters, past due', path: '/', who: 'overdue' },
  { name: 'stopping', path: page('running'), open: fromMenu('running', 'stop') },
  { name: 'destroying', path: page('running'), open: fromMenu('running', 'destroyMaster') },
  {
    name: 'renaming',
    path: page('running', '?tab=settings'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('action.rename')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'renaming, with what is wrong',
    path: page('running', '?tab=settings'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('action.rename')).click()
      const name = view.getByRole('dialog').getByRole('textbox')
      await name.fill('-')
      await name.press('Enter')
      await view.getByText(app.t('create.nameInvalid'), { exact: true }).waitFor()
    },
  },
  { name: 'adding workers', path: page('running'), open: fromMenu('running', 'addWorker') },
  { name: 'activating', path: page('inactivated'), open: fromMenu('inactivated', 'activate') },
  {
    name: 'actions of a cluster',
    path: page('errored'),
    open: menu(({ app }) => app.t('common.more', { name: named('errored').name })),
  },
]
