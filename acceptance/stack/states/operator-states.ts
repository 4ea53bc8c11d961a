import type { ConsoleTab } from '../console-tab.ts'
import { friend } from '../samples/sample-facts.ts'
import type { ConsoleState } from './console-state.ts'

/** The operator's area, and how a suspended account sees its own. */
export const operatorStates: readonly ConsoleState[] = [
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
  {
    name: 'operator, limits of a region',
    path: '/operator/capacity',
    who: 'staff',
    open: async ({ page: view }) => {
      await view
        .getByRole('button', { name: /^(Limits|上限)/ })
        .first()
        .click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, drain of a member',
    path: '/operator/capacity',
    who: 'staff',
    open: async ({ page: view }) => {
      await view
        .getByRole('button', { name: /^(Drain|排空)/ })
        .first()
        .click()
      await view.getByRole('dialog').getByText('6.5').first().waitFor()
    },
  },
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
  {
    name: 'operator, granting vCPU',
    path: `/operator/customers/ac_${'2'.repeat(32)}`,
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.moreActs', { id: friend.terminusName })).click()
      await view.getByRole('menuitem', { name: app.t('operator.changeQuota') }).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'operator, erasing a customer',
    path: `/operator/customers/ac_${'2'.repeat(32)}`,
    who: 'staff',
    open: async ({ page: view, app }) => {
      await app.button(app.t('operator.moreActs', { id: friend.terminusName })).click()
      await view.getByRole('menuitem', { name: app.t('operator.erase') }).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'clusters, suspended', path: '/', who: 'held' },
  { name: 'clusters, seen by staff', path: '/', who: 'looking' },
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
