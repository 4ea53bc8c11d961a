/** `beforeLoad` of the routes that need an account (spec §2, "Route guard"). */
import { redirect } from '@tanstack/react-router'
import { serverNow } from '../../config/runtime-config.ts'
import { loadTextsOf } from '../../locales/language.ts'
import { currentAccount, lockedPage, selectAccount } from '../../session/account-store.ts'
import { guardTarget } from '../../session/guard.ts'

interface Entering {
  location: { href: string; pathname: string }
}

/**
 * Without a session that lasts it leads to the sign-in page, with the wanted path; with one, the page's texts are
 * fetched.
 */
export async function enterAsAccount(entering: Entering): Promise<void> {
  requireAccount(entering)
  await Promise.all([loadTextsOf(entering.location.pathname), beginInit()])
}

/** For whom `beginInit` has begun. */
let begunFor: string | undefined

/**
 * Begins what every page of an account shows: an answer that was asked for ahead and is there already stands in the
 * first thing that is drawn, which would else be drawn empty and then again. It is not waited for. Once for an
 * account: every choice of a step of ordering is a navigation too, and a button that is pressed would go back until it
 * has ended.
 */
async function beginInit(): Promise<void> {
  const account = currentAccount()
  if (!account || lockedPage() || begunFor === account.userid) return
  begunFor = account.userid
  // Part of the pages' own file, which the start does without. If it cannot be fetched now, the page fetches it and
  // reports a failure.
  const queries = await import('../../data/home-queries.ts').catch(() => undefined)
  void queries?.prefetchInit(account.userid)
}

/** A locked page is left by its person alone: what its fields write into the address passes. */
function requireAccount({ location }: Entering): void {
  if (lockedPage()) return
  const target = guardTarget(currentAccount(), serverNow(), location.href)
  if (!target) return
  const search = { redirect: target.redirect }
  if (target.did) throw redirect({ to: '/login/$did', params: { did: target.did }, search })
  throw redirect({ to: '/login', search })
}

/**
 * For a route whose `uid` names the account to act as, when several are stored; one that is not changes
 * nothing. A link that is only pointed at (`preload`) selects nobody.
 */
export function requireNamedAccount(entering: Entering & { params: { uid?: string }; preload: boolean }): void {
  if (entering.preload || !entering.params.uid || lockedPage()) return
  if (selectAccount(entering.params.uid)) requireAccount(entering)
}
