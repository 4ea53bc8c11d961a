import { useEffect } from 'react'
import { apiBase } from '../../config/runtime-config.ts'
import { invalidateAll, invalidateChanged, pollAll, retryFailed, retryOutdated } from '../../data/invalidate.ts'
import { followChanges } from '../../data/live/live-changes.ts'
import { announceSignedOut } from '../../data/signed-out.ts'
import { useFirstIdle } from '../../kit/browser/first-idle.tsx'
import { language } from '../../locales/language.ts'
import { useLocale } from '../../locales/text.ts'
import type { Account } from '../../session/account.ts'
import { currentAccount } from '../../session/account-store.ts'

/** How often a customer's data is asked for again while staff look, ms. */
const lookEveryMs = 15_000

interface LiveChangesProps {
  account: Account
}

/** Keeps the account's data live while the shell is shown. Draws nothing. */
export function LiveChanges({ account: { userid, token } }: LiveChangesProps) {
  // Another language may mean another host: the stream is opened there again.
  const host = apiBase(useLocale())
  const isIdle = useFirstIdle()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stream asks for the host itself
  useEffect(() => {
    const account = currentAccount()
    if (!isIdle || account?.token !== token) return
    // The stream of staff who look tells of their own account.
    if (account.look) {
      const timer = setInterval(() => pollAll(userid), lookEveryMs)
      return () => clearInterval(timer)
    }
    return followChanges({
      account,
      onChange: (change) => invalidateChanged(userid, change),
      onHello: () => invalidateAll(userid),
      onResumed: () => retryFailed(userid),
      onPoll: () => pollAll(userid),
      onTick: () => retryOutdated(userid),
      onSignedOut: () => announceSignedOut(account),
    })
  }, [userid, token, host, isIdle])

  // The catalogue's names come from the server, in the language of the request.
  useEffect(() => {
    const invalidate = () => invalidateAll(userid)
    language.i18n.on('languageChanged', invalidate)
    return () => language.i18n.off('languageChanged', invalidate)
  }, [userid])
  return null
}
