import type { ConsoleTab } from '../console-tab.ts'
import type { ConsoleState } from './console-state.ts'
import { keys, menu } from './ways.ts'

/** Sign-in, accounts, profile, help, and the parts of the frame. */
export const accountStates: readonly ConsoleState[] = [
  { name: 'profile', path: '/profile' },
  { name: 'your data', path: '/yourData' },
  { name: 'your data, closing', path: '/yourData', who: 'held' },
  {
    name: 'closing the account',
    path: '/yourData',
    open: async ({ page: view, app }) => {
      await app.button(app.t('closing.close')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
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
  { name: 'accounts', path: '/accountList' },
  { name: 'languages', path: '/languageList' },
  { name: 'help', path: '/help', who: 'nobody' },
  { name: 'help, a page', path: '/help/domains' },
  { name: 'help, no such page', path: '/help/nothing', who: 'nobody' },
  { name: 'instances in a wallet', path: '/instanceMobile' },
  { name: 'sign-in', path: '/login', who: 'nobody' },
  { name: 'sign-in again', path: `/login/did:key:z6Mk${'a'.repeat(44)}?redirect=%2Finstance` },
  { name: 'not found', path: '/nowhere/at/all' },
  {
    name: 'signing out everywhere else',
    path: '/sessions',
    open: async ({ page: view, app }) => {
      await app.button(app.t('sessions.revokeOthers')).click()
      await view.getByRole('dialog').waitFor()
    },
  },
  { name: 'notifications', path: '/', open: menu(({ app }) => app.t('shell.newsUnread', { shown: '9+' })) },
  {
    name: 'account menu',
    path: '/sessions',
    open: menu(({ app }) => app.t('shell.accountMenu', { name: 'lena@atoll.test' })),
  },
  { name: 'palette', path: '/sessions', open: keys('Control+k', 'combobox') },
  { name: 'keys', path: '/sessions', open: keys('Control+/', 'dialog') },
]
