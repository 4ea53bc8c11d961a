import { logout } from '@atoll/contract/accounts'
import { displayName } from '@atoll/contract/wire'
import { useRouter } from '@tanstack/react-router'
import { serverNow } from '../config/runtime-config.ts'
import { CallFailure } from '../data/call-failure.ts'
import { callApi } from '../data/client.ts'
import { queryClient } from '../data/query-client.ts'
import { showToast } from '../data/show-toast.ts'
import { confirm } from '../kit/confirm/confirm.ts'
import { useText } from '../locales/text.ts'
import { type Account, isExpired } from '../session/account.ts'
import {
  currentAccount,
  removeAccount,
  removeAllAccounts,
  selectAccount,
  storedAccounts,
} from '../session/account-store.ts'

export interface AccountActions {
  /** Goes on as `account`; one whose session expired signs in again first. `href`: where to, instead of staying. */
  switchTo: (account: Account, href?: string) => Promise<void>
  /** Forgets the account here and ends its session. */
  signOut: (account: Account) => Promise<void>
  /** Asks first. */
  signOutAll: () => void
}

/** Actions on the accounts of this browser, the same in menus, palette and `/accountList`. */
export function useAccountActions(): AccountActions {
  const router = useRouter()
  const t = useText()

  /**
   * An address that names something of one account is nothing to another: the page is left before the account changes.
   */
  async function leaveForeignAddress(): Promise<void> {
    const { matches, location } = router.state
    if (Object.keys(matches.at(-1)?.params ?? {}).length > 0) await router.navigate({ to: '/' })
    else if (location.searchStr) await router.navigate({ to: '.', search: {} })
  }

  async function switchTo(account: Account, href?: string): Promise<void> {
    const { userid } = account
    if (isExpired(account, serverNow())) {
      await router.navigate({ to: '/login/$did', params: { did: userid }, search: { redirect: href ?? '/' } })
      return
    }
    if (href === undefined) await leaveForeignAddress()
    selectAccount(userid)
    if (href !== undefined) router.history.push(href)
  }

  return {
    switchTo,
    async signOut(account) {
      if (account.userid !== currentAccount()?.userid) return await signOut(account)
      const others = storedAccounts().filter(({ userid }) => userid !== account.userid)
      const onList = router.state.location.pathname === '/accountList'
      const goesOn = others.some((other) => !isExpired(other, serverNow()))
      if (!onList) {
        if (goesOn) await leaveForeignAddress()
        else await router.navigate(others.length > 0 ? { to: '/accountList' } : { to: '/login' })
      }
      const done = signOut(account)
      const next = currentAccount()
      if (goesOn && next) showToast({ kind: 'info', text: t('accounts.nowAs', { name: displayName(next) }) })
      await done
    },
    signOutAll() {
      const count = storedAccounts().length
      confirm({
        title: t('accounts.signOutAllTitle', { count }),
        lost: [t('accounts.signOutAllText')],
        keep: t('accounts.keep'),
        act: t('accounts.signOutAll', { count }),
        danger: true,
        async run() {
          await router.navigate({ to: '/login' })
          await signOutAll()
        },
      })
    },
  }
}

/**
 * Forgetting accounts in this browser, every tab at once, and ending their sessions. In this order: a tab that still
 * had an account stored when its session ends would take it for one that expired.
 */
async function signOut(account: Account): Promise<void> {
  removeAccount(account.userid)
  await end(account)
}

async function signOutAll(): Promise<void> {
  const accounts = storedAccounts()
  removeAllAccounts()
  await Promise.all(accounts.map(end))
}

async function end(account: Account): Promise<void> {
  queryClient.removeQueries({ queryKey: [account.userid] })
  if (isExpired(account, serverNow())) return
  try {
    await callApi(logout, {}, undefined, account)
  } catch (error) {
    // The person is out of this browser, reachable server or not; a session left behind expires.
    if (!(error instanceof CallFailure)) throw error
  }
}
