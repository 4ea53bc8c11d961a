import { displayName } from '@atoll/contract/wire'
import { Button } from '@mantine/core'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { serverNow } from '../config/runtime-config.ts'
import { useText } from '../locales/text.ts'
import { type Account, isExpired } from '../session/account.ts'
import {
  currentAccount,
  discardLockedPage,
  findAccount,
  selectAccount,
  useStoredAccounts,
} from '../session/account-store.ts'
import classes from './LockedPage.module.css'
import { SignInPanel } from './SignInPanel.tsx'
import { useSignIn } from './use-sign-in.ts'

interface LockedPageProps {
  /** Whose page it is. */
  account: Account
}

/**
 * Covers a page whose session ended, or whose account another tab signed out or switched away from, while something
 * was typed here. Going on as that account uncovers the page as it was. A modal `<dialog>` of the browser: it stands
 * above our own dialogs and makes all below it inert.
 */
export function LockedPage({ account }: LockedPageProps) {
  const t = useText()
  const router = useRouter()
  useStoredAccounts()
  const kept = findAccount(account.userid)
  const lasts = kept !== undefined && !isExpired(kept, serverNow())
  const next = currentAccount()
  const name = displayName(account)

  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])

  // Back or forward leaves the page, and what was typed there.
  const path = useRouterState({ select: (state) => state.location.pathname })
  const first = useRef(path)
  useEffect(() => {
    if (path !== first.current) discardLockedPage()
  }, [path])

  return (
    <dialog
      ref={dialog}
      className={classes.cover}
      aria-labelledby="locked-title"
      // Escape decides nothing here, neither for this dialog nor for one below it. A browser closes a dialog at the
      // third Escape whatever its page says, unless it may not be closed at all; one too old to know that has it
      // opened again.
      closedby="none"
      data-mantine-stop-propagation="true"
      onCancel={(event) => event.preventDefault()}
      onClose={(event) => event.currentTarget.showModal()}
    >
      <div className={classes.columns}>
        <section className={classes.words}>
          <h1 id="locked-title" tabIndex={-1} data-mantine-stop-propagation="true">
            {t(lasts ? 'locked.switchedTitle' : kept ? 'login.sessionExpired' : 'locked.signedOutTitle')}
          </h1>
          <p>
            {lasts
              ? t('locked.switched', { name, other: next ? displayName(next) : '' })
              : t('locked.signedOut', { name })}
          </p>
          <div className={classes.actions}>
            {lasts && (
              <Button
                variant="filled"
                data-mantine-stop-propagation="true"
                onClick={() => selectAccount(account.userid)}
              >
                {t('locked.switchBack', { name })}
              </Button>
            )}
            <Button
              data-mantine-stop-propagation="true"
              onClick={() => {
                discardLockedPage()
                void router.invalidate()
              }}
            >
              {t('locked.discard')}
            </Button>
          </div>
        </section>
        {!lasts && <SignInAgain did={account.userid} />}
      </div>
    </dialog>
  )
}

/** The code for the page's account. Once it is approved the page is uncovered, and this is gone. */
function SignInAgain({ did }: { did: string }) {
  return <SignInPanel signIn={useSignIn(did, undefined)} />
}
