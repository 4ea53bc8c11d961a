import { Avatar, Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Account } from '../../accounts/account.ts'
import { heldAccounts, removeAccount } from '../../accounts/account-store.ts'
import { namesAccount } from '../../accounts/redirect.ts'
import { displayedId, useAccountName } from '../../accounts/use-account-name.ts'
import { shortDid } from '../../format/did.ts'
import { useText } from '../../i18n/text.ts'
import classes from './LoginWords.module.css'

interface WelcomeBackProps {
  did: string
  /** What this browser knows of the account; it may know nothing. */
  account: Account | undefined
  redirect: string | undefined
}

/** A known account signs in again: who is expected, and the ways out. */
export function WelcomeBack({ did, account, redirect }: WelcomeBackProps) {
  const t = useText()
  const navigate = useNavigate()
  const name = useAccountName()(account)
  /** An address that names this account would only lead back here. */
  const search = redirect && !namesAccount(redirect, did) ? { redirect } : {}
  const toOthers = () =>
    navigate({ to: heldAccounts().some(({ userid }) => userid !== did) ? '/accountList' : '/login', search })
  return (
    <section className={classes.words}>
      <h1 className={classes.title}>{t('login.again')}</h1>
      <div className={classes.notice}>
        <Notice tone="amber" title={t('login.sessionExpired')} />
      </div>
      <div className={classes.expected}>
        <Avatar id={did} name={displayedId(account)} src={account?.avatar ?? null} size={40} />
        <div className={classes.who}>
          <div className={classes.name}>{name}</div>
          <div className={classes.did}>{shortDid(did)}</div>
        </div>
        <span className={classes.tag}>{t('login.expected')}</span>
      </div>
      <p className={classes.only}>
        {t('login.onlyThis')} {redirect && redirect !== '/' && t('login.goesOn')}
      </p>
      <div className={classes.actions}>
        <Button onClick={toOthers}>{t('login.useAnother')}</Button>
        {account && (
          <Button
            variant="subtle"
            onClick={() => {
              removeAccount(did)
              void toOthers()
            }}
          >
            {t('login.remove')}
          </Button>
        )}
      </div>
    </section>
  )
}
