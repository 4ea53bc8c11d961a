/** Every screen of the console, and what opens over it, as a way to get there: for checks of all of them. */
import type { ConsoleTab } from './console-tab.ts'
import { sampleBackupId } from './samples/sample-backups.ts'
import { sampleInvoiceId, samplePaymentId, sampleSubscriptionId } from './samples/sample-bills.ts'
import { sampleClusters } from './samples/sample-clusters.ts'
import { type SampleDomain, sampleDomainPath } from './samples/sample-domains.ts'

export interface ConsoleState {
  name: string
  path: string
  /** From the page as it opens to what is meant. */
  open?: (tab: ConsoleTab) => Promise<void>
  /**
   * To whom it is shown: `overdue` has a bill that is past due, `mailless` no email, `staff` is an
   * operator, `held` is suspended; absent: to the account with every
   * situation.
   */
  who?: 'nobody' | 'overdue' | 'mailless' | 'staff' | 'held'
}

const named = (status: string, suits: (cluster: (typeof sampleClusters)[number]) => boolean = () => true) => {
  const cluster = sampleClusters.find((candidate) => candidate.status === status && suits(candidate))
  if (!cluster) throw new Error(`the sample has no cluster that is ${status}`)
  return cluster
}
const givenUp = named('errored', ({ givenUpAt }) => givenUpAt !== null)
const page = (status: string, query = '') => `/cluster/${named(status).clusterId}${query}`
const order = 'cloud=atoll&region=lagoon&offering=tide-2&version=1.12.3'

/** Opens an item of the menu of a cluster's page. */
const fromMenu =
  (
    status: string,
    action: 'stop' | 'restart' | 'destroyMaster' | 'addWorker' | 'activate' | 'giveUp' | 'replaceMachine',
  ) =>
  async ({ page: view, app }: ConsoleTab) => {
    await app.button(app.t('common.more', { name: named(status).name })).click()
    await view.getByRole('menuitem', { name: app.t(`action.${action}`) }).click()
    await view.getByRole('dialog').waitFor()
  }
const menu = (name: (tab: ConsoleTab) => string) => async (tab: ConsoleTab) => {
  await tab.app.button(name(tab)).first().click()
  await tab.page.getByRole('menu').waitFor()
}
const keys = (combination: string, role: 'combobox' | 'dialog') => async (tab: ConsoleTab) => {
  await tab.page.keyboard.press(combination)
  await tab.page.getByRole(role).first().waitFor()
}

/** One of each step and of each layout; what is only said in other words is in the list. */
const domainsLookedAt: readonly SampleDomain[] = [
  ...(['proving', 'handing', 'apex', 'applying', 'presenting', 'ruling', 'binding', 'naming', 'inUse'] as const),
  ...(['unseen', 'lost', 'paused', 'taken', 'contested', 'asked', 'handedOn', 'serverless'] as const),
]

export const consoleStates: readonly ConsoleState[] = [
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
      await app.button(app.t('alerts.changeOf', { alert: app.t('alerts.disk') })).click()
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
  { name: 'create', path: '/create' },
  { name: 'create, hardware', path: `/create?step=hardware&${order}` },
  { name: 'create, version', path: `/create?step=version&${order}` },
  { name: 'create, review', path: `/create?step=review&${order}` },
  { name: 'create, review, without an email', path: `/create?step=review&${order}`, who: 'mailless' },
  { name: 'an order that is paid, installing', path: `/paid/${named('installing').clusterId}` },
  { name: 'create, self-hosted', path: '/create?step=reach&flavour=SelfHost' },
  { name: 'create, self-hosted, review', path: '/create?step=review&flavour=SelfHost' },
  { name: 'billing', path: '/billing' },
  { name: 'clusters, past due', path: '/', who: 'overdue' },
  { name: 'create, past due', path: '/create', who: 'overdue' },
  { name: 'billing, past due', path: '/billing', who: 'overdue' },
  {
    name: 'going on past a destruction',
    path: '/sandbox',
    who: 'overdue',
    open: async ({ page: view, app }) => {
      await app.button(app.t('billing.goOn')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'raising the plan',
    path: '/billing',
    open: async ({ page: view, app }) => {
      await app.button(app.t('billing.upgradeTo', { plan: 'Pro' })).click()
      await view.getByRole('dialog').getByText(app.t('billing.payToday'), { exact: true }).waitFor()
    },
  },
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
  { name: 'backup, not here', path: '/backupDetails/bk_nowhere00' },
  { name: 'create, from a backup', path: '/create/sn_sample0001?step=hardware' },
  { name: 'create, self-hosted, from a backup', path: '/create/sn_sample0001?step=review&flavour=SelfHost' },
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
  { name: 'domains', path: '/domains' },
  {
    name: 'adding a domain, with what is wrong',
    path: '/domains',
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.add')).click()
      const field = view.getByRole('dialog').getByRole('textbox')
      await field.fill(' ')
      await field.press('Enter')
      await view.getByText(app.t('domains.missing'), { exact: true }).waitFor()
    },
  },
  ...domainsLookedAt.map((which) => ({
    name: `domain, ${which}`,
    path: sampleDomainPath(which),
  })),
  { name: 'domain, not here', path: '/domain/-' },
  { name: 'domain in a wallet', path: sampleDomainPath('proving', 'domainMobile') },
  {
    name: 'delegating an apex',
    path: sampleDomainPath('apex'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.useServers')).click()
      await view.getByRole('dialog').getByText('10 mail.north.example', { exact: true }).waitFor()
    },
  },
  {
    name: 'changing who may join',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.change')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'inviting a member',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.members.invite')).click()
      const dialog = view.getByRole('dialog')
      await dialog.getByRole('textbox').first().fill('sami')
      await dialog.getByRole('button', { name: app.t('domains.members.invite') }).click()
      await dialog.getByText(app.t('domains.members.password'), { exact: true }).waitFor()
    },
  },
  {
    name: 'removing a member',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('common.more', { name: 'jonas' })).click()
      await view.getByRole('menuitem', { name: app.t('domains.members.remove') }).click()
      await view.getByRole('dialog').getByRole('textbox').waitFor()
    },
  },
  {
    name: 'removing a certificate',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('common.more', { name: 'photos.jonas.lagoon.example' })).click()
      await view.getByRole('menuitem', { name: app.t('domains.certificates.remove') }).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'handing a domain on',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.transfer.act')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'giving up a domain',
    path: sampleDomainPath('inUse'),
    open: async ({ page: view, app }) => {
      await app.button(app.t('domains.giveUp')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'profile', path: '/profile' },
  ...(['replace', 'revoke'] as const).map((what) => ({
    name: `the metrics token, ${what}`,
    path: '/profile',
    open: async ({ page: view, app }: ConsoleTab) => {
      await app.button(app.t(`metricsToken.${what}`)).click()
      await view.getByRole('dialog').waitFor()
    },
  })),
  { name: 'sessions', path: '/sessions' },
  { name: 'activity', path: '/activity' },
  { name: 'invoices', path: '/bill' },
  { name: 'payments', path: '/bill?tab=payments' },
  { name: 'subscriptions', path: '/bill?tab=subscriptions' },
  { name: 'payment, at the bank', path: `/payment/${sampleInvoiceId}` },
  { name: 'payment, paid', path: `/payment/${samplePaymentId}` },
  { name: 'payment, a line of usage opened', path: '/payment/pay_sample0030#line-1' },
  { name: 'subscription', path: `/subscriptions/${sampleSubscriptionId}` },
  { name: 'payment, what its coupon takes', path: `/payment/${sampleInvoiceId}#line-0` },
  { name: 'subscription, unpaid', path: '/subscriptions/sub_sample002' },
  { name: 'balance', path: '/balanceDetail' },
  { name: 'sandbox', path: '/sandbox' },
  { name: 'usage', path: '/usage' },
  {
    name: 'usage as a table',
    path: '/usage?product=cloud_backup',
    open: async ({ page: view, app }) => {
      const show = app.button(app.t('usagePage.showTable'))
      await show.or(app.button(app.t('usagePage.showChart'))).waitFor()
      // It stays a table while the page does.
      if (await show.isVisible()) await show.click()
      // Away from the button, so that its tip closes.
      await view.mouse.move(0, 0)
      await view.getByRole('columnheader', { name: app.t('usagePage.columnDay'), exact: true }).waitFor()
    },
  },
  { name: 'accounts', path: '/accountList' },
  { name: 'languages', path: '/languageList' },
  { name: 'help', path: '/help', who: 'nobody' },
  { name: 'help, a page', path: '/help/domains' },
  { name: 'help, no such page', path: '/help/nothing', who: 'nobody' },
  { name: 'instances in a wallet', path: '/instanceMobile' },
  { name: 'create in a wallet', path: '/createMobile' },
  { name: 'sign-in', path: '/login', who: 'nobody' },
  { name: 'sign-in again', path: `/login/did:key:z6Mk${'a'.repeat(44)}?redirect=%2Finstance` },
  { name: 'not found', path: '/nowhere/at/all' },
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
  {
    name: 'signing out everywhere else',
    path: '/sessions',
    open: async ({ page: view, app }) => {
      await app.button(app.t('sessions.revokeOthers')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'adding workers', path: page('running'), open: fromMenu('running', 'addWorker') },
  { name: 'activating', path: page('inactivated'), open: fromMenu('inactivated', 'activate') },
  {
    name: 'actions of a cluster',
    path: page('errored'),
    open: menu(({ app }) => app.t('common.more', { name: named('errored').name })),
  },
  { name: 'notifications', path: '/', open: menu(({ app }) => app.t('shell.newsUnread', { shown: '9+' })) },
  {
    name: 'account menu',
    path: '/sessions',
    open: menu(({ app }) => app.t('shell.accountMenu', { name: 'lena@atoll.test' })),
  },
  {
    name: 'days of invoices',
    path: '/bill',
    open: async ({ page: view, app }) => {
      await app
        .button(app.t('common.labelled', { label: app.t('table.filterTime'), value: app.t('table.anyTime') }))
        .click()
      await view.getByLabel(app.t('bill.from'), { exact: true }).waitFor()
    },
  },
  {
    name: 'canceling an order',
    path: '/subscriptions/sub_sample002',
    open: async ({ page: view, app }) => {
      await app.button(app.t('money.cancelOrder')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'palette', path: '/sessions', open: keys('Control+k', 'combobox') },
  { name: 'keys', path: '/sessions', open: keys('Control+/', 'dialog') },
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
  { name: 'operator, overview', path: '/operator', who: 'staff' },
  { name: 'operator, clusters', path: '/operator/clusters', who: 'staff' },
  { name: 'operator, a stuck cluster', path: '/operator/clusters/cl_sample001', who: 'staff' },
  {
    name: 'operator, giving up an operation',
    path: '/operator/clusters/cl_sample001',
    who: 'staff',
    open: async ({ page: view, app }: ConsoleTab) => {
      await app.button(app.t('operator.giveUp')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'operator, staff', path: '/operator/staff', who: 'staff' },
  { name: 'operator, versions', path: '/operator/versions', who: 'staff' },
  { name: 'operator, capacity', path: '/operator/capacity', who: 'staff' },
  { name: 'operator, system', path: '/operator/system', who: 'staff' },
  { name: 'operator, customers', path: '/operator/customers', who: 'staff' },
  { name: 'operator, money', path: '/operator/money', who: 'staff' },
  {
    name: 'operator, settling a payment',
    path: '/operator/money',
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.resolve')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, taking over a charge',
    path: '/operator/money',
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.adoptTitle', { ref: 'pi_sample001' })).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'operator, a customer', path: `/operator/customers/ac_${'2'.repeat(32)}`, who: 'staff' },
  {
    name: 'operator, why a customer is opened',
    path: `/operator/customers/ac_${'0'.repeat(32)}`,
    who: 'staff',
    open: ({ page: view }) => view.getByRole('dialog').waitFor(),
  },
  {
    name: 'operator, crediting',
    path: `/operator/customers/ac_${'2'.repeat(32)}`,
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.creditOrRefund')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, releasing',
    path: `/operator/customers/ac_${'2'.repeat(32)}`,
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.release')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'clusters, suspended', path: '/', who: 'held' },
  {
    name: 'operator, giving a role',
    path: '/operator/staff',
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.staffAddShort')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'operator, abuse', path: '/operator/abuse', who: 'staff' },
  {
    name: 'operator, writing down a report',
    path: '/operator/abuse',
    who: 'staff',
    async open({ page: view, app }) {
      await app.button(app.t('operator.abuseWrite')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, closing a report',
    path: '/operator/abuse',
    who: 'staff',
    async open({ page: view, app }) {
      await app.button(app.t('operator.abuseCloseOf', { what: 'https://tideline.example/login' })).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'operator, announcements', path: '/operator/announcements', who: 'staff' },
  {
    name: 'operator, announcing',
    path: '/operator/announcements',
    who: 'staff',
    async open({ page: view, app }) {
      await app.button(app.t('operator.announce')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, ending an announcement',
    path: '/operator/announcements',
    who: 'staff',
    async open({ page: view, app }) {
      await view.getByRole('button', { name: /Backups are slow|备份较慢/ }).click()
      await view.getByRole('menuitem', { name: app.t('operator.announceEnd') }).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, approving in the wallet',
    path: '/operator/staff',
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.staffAddShort')).click()
      await view.getByLabel(app.t('operator.staffWho')).fill('kai@atoll.test')
      await view.getByLabel(app.t('operator.reason')).fill('joins on Monday')
      await app.button(app.t('operator.approve')).click()
      await view.getByRole('img', { name: app.t('operator.code') }).waitFor()
    },
  },
  { name: 'operator, not for a customer', path: '/operator/staff' },
]
