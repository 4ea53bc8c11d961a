import { displayName } from '@atoll/contract/wire'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsPhone } from '../kit/browser/use-is-narrow.ts'
import { useText } from '../locales/text.ts'
import type { Account } from '../session/account.ts'
import classes from './LoginWords.module.css'
import type { SignIn } from './use-sign-in.ts'
import { toWallet } from './wallet-link.ts'

interface SignInStepsProps {
  /** The signed-in account, if there is one. */
  current: Account | undefined
  signIn: Pick<SignIn, 'matchNumber' | 'asksNumber' | 'codeText' | 'giveToWallet'>
}

/** The three steps of signing in. A phone does not scan its own screen: there they are those of the web wallet. */
export function SignInSteps({ current, signIn }: SignInStepsProps) {
  const t = useText()
  const isPhone = useIsPhone()
  const { matchNumber, asksNumber } = signIn
  const wallet = (
    <>
      {t('login.stepOpenOr')} <a {...toWallet(signIn)}>{t('login.stepOpenWallet')}</a>
    </>
  )
  return (
    <section className={classes.words}>
      <h1 className={classes.title}>{t('login.title')}</h1>
      <p className={classes.lead}>{t('login.lead')}</p>
      <ol className={classes.steps} aria-label={t('login.steps')}>
        {isPhone ? (
          <>
            <Step number={1} title={t('login.openOnPhone')}>
              {t('login.stepOpenHelp')}
            </Step>
            <Step number={2} title={t('login.stepChoose')}>
              {t('login.stepChooseHelp')}
            </Step>
          </>
        ) : (
          <>
            <Step number={1} title={t('login.stepOpen')}>
              {wallet}
            </Step>
            <Step number={2} title={t('login.stepScan')}>
              {t('login.stepScanHelp')}
            </Step>
          </>
        )}
        {matchNumber && asksNumber ? (
          <Step number={3} title={t('login.stepType', { number: matchNumber })}>
            {t('login.stepTypeHelp')}
          </Step>
        ) : (
          <Step number={3} title={t('login.stepApprove')}>
            {t('login.stepIfAsked', { number: matchNumber ?? '– –' })}
          </Step>
        )}
      </ol>
      {current && (
        <p className={classes.current}>
          {t('login.signedInAs', {
            name: displayName(current),
          })}{' '}
          <Link to="/">{t('login.continue')}</Link>
        </p>
      )}
    </section>
  )
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className={classes.step}>
      <div className={classes.rail} aria-hidden="true">
        <span className={classes.number}>{number}</span>
        <span className={classes.line} />
      </div>
      <div className={classes.stepWords}>
        <div className={classes.stepTitle}>{title}</div>
        <div className={classes.stepHelp}>{children}</div>
      </div>
    </li>
  )
}
