import { Avatar, Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { type Account, isExpired } from '../../accounts/account.ts'
import { accountLabel } from '../../accounts/account-label.ts'
import { heldAccounts, removeAccount, selectAccount } from '../../accounts/account-store.ts'
import { namesAccount } from '../../accounts/redirect.ts'
import { displayedId, useAccountName } from '../../accounts/use-account-name.ts'
import { serverNow } from '../../config/runtime-config.ts'
import { shortDid } from '../../format/did.ts'
import { sentenceGap } from '../../i18n/sentence-gap.ts'
import { useLocale, useText } from '../../i18n/text.ts'
import classes from './LoginWords.module.css'

interface WelcomeBackProps {
  did: string
  /** What this browser knows of the account; it may know nothing. */
  account: Account | undefined
  redirect: string | undefined
}

/** A known account signs in again: whether it has to, who is expected, and the ways out. */
export function WelcomeBack({ did, account, redirect }: WelcomeBackProps) {
  const t = useText()
  const locale = useLocale()
  const router = useRouter()
  const name = useAccountName()(account)
  /** An address that names this account would only lead back here. */
  const search = redirect && !namesAccount(redirect, did) ? { redirect } : {}
  const goOn = () => {
    selectAccount(did)
    router.history.push(redirect ?? '/')
  }
  const toOthers = () =>
    router.navigate({ to: heldAccounts().some(({ userid }) => userid !== did) ? '/accountList' : '/login', search })
  return (
    <section className={classes.words}>
      <h1 className={classes.title}>{t('login.again')}</h1>
      {account && (
        <div className={classes.notice}>
          {isExpired(account, serverNow()) ? (
            <Notice tone="amber" title={t('login.sessionExpired')} />
          ) : (
            <Notice
              tone="green"
              title={t('login.signedInAs', { name: accountLabel(account) })}
              action={
                <Button size="xs" onClick={goOn}>
                  {t('login.continue')}
                </Button>
              }
            />
          )}
        </div>
      )}
      <div className={classes.expected}>
        <Avatar id={did} name={displayedId(account)} src={account?.avatar ?? null} size={40} />
        <div className={classes.who}>
          <div className={classes.name}>{name}</div>
          <div className={classes.did}>{shortDid(did)}</div>
        </div>
        <span className={classes.tag}>{t('login.expected')}</span>
      </div>
      <p className={classes.only}>
        {t('login.onlyThis')}
        {redirect && redirect !== '/' && sentenceGap(locale) + t('login.goesOn')}
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
