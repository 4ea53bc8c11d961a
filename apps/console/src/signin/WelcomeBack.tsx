import { displayName, shorten } from '@atoll/contract/wire'
import { Avatar, Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { serverNow } from '../config/runtime-config.ts'
import { sentenceGap } from '../locales/sentence-gap.ts'
import { useLocale, useText } from '../locales/text.ts'
import { type Account, isExpired } from '../session/account.ts'
import { removeAccount, selectAccount, storedAccounts } from '../session/account-store.ts'
import { namesAccount } from '../session/redirect.ts'
import { displayedId, useAccountName } from '../session/use-account-name.ts'
import { findIdentityName } from './identity-name.ts'
import classes from './LoginWords.module.css'

interface WelcomeBackProps {
  did: string
  /** The browser's stored facts about the account; there may be none. */
  account: Account | undefined
  redirect: string | undefined
}

/** A known account signs in again: whether it has to, who is expected, and the ways out. */
export function WelcomeBack({ did, account, redirect }: WelcomeBackProps) {
  const t = useText()
  const locale = useLocale()
  const router = useRouter()
  const found = useIdentityName(did)
  const nameOf = useAccountName()
  // Only the identity service knows whether an account that this browser does not hold has an ID.
  const id = found || displayedId(account)
  const name = id ?? (account || found === null ? nameOf(undefined) : '…')
  /** An address that names this account would only lead back here. */
  const search = redirect && !namesAccount(redirect, did) ? { redirect } : {}
  const goOn = () => {
    selectAccount(did)
    router.history.push(redirect ?? '/')
  }
  const toOthers = () =>
    router.navigate({ to: storedAccounts().some(({ userid }) => userid !== did) ? '/accountList' : '/login', search })
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
              title={t('login.signedInAs', { name: displayName(account) })}
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
        <Avatar id={did} name={id} src={account?.avatar ?? null} size={40} />
        <div className="grow">
          <div className={classes.name}>{name}</div>
          <div className={classes.did}>{shorten(did)}</div>
        </div>
        <span className={classes.tag}>{t('login.expected')}</span>
      </div>
      {found === false && (
        <div className={classes.notice}>
          <Notice tone="amber" title={t('failure.network')} role="status" />
        </div>
      )}
      <p className={classes.only}>
        {t('login.onlyThis')}
        {redirect && redirect !== '/' && sentenceGap(locale) + t('login.goesOn')}
      </p>
      <div className="buttons">
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

/** As `findIdentityName`; undefined until it has answered. */
function useIdentityName(did: string) {
  const [name, setName] = useState<Awaited<ReturnType<typeof findIdentityName>>>()
  useEffect(() => {
    let isLeft = false
    void findIdentityName(did).then((found) => {
      if (!isLeft) setName(found)
    })
    return () => {
      isLeft = true
    }
  }, [did])
  return name
}
