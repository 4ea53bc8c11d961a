import { type SampleDomain, sampleDomainPath } from '../samples/sample-domains.ts'
import type { ConsoleState } from './console-state.ts'

/** One of each step and of each layout; what is only said in other words is in the list. */
const domainsLookedAt: readonly SampleDomain[] = [
  ...(['proving', 'handing', 'apex', 'applying', 'presenting', 'ruling', 'binding', 'naming', 'inUse'] as const),
  ...(['unseen', 'lost', 'paused', 'taken', 'contested', 'asked', 'handedOn', 'serverless'] as const),
]

/** Custom domains and their members. */
export const domainStates: readonly ConsoleState[] = [
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
]
