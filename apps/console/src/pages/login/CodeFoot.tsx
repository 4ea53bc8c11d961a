import { formatStopwatch } from '../../format/stopwatch.ts'
import { useText } from '../../i18n/text.ts'
import classes from './SignInPanel.module.css'
import type { SignIn } from './use-sign-in.ts'

interface CodeFootProps {
  signIn: SignIn
  /** Little time is left. */
  urgent: boolean
}

/** Under the code: the number that a wallet on another device asks for, and the time left. */
export function CodeFoot({ signIn: { state, matchNumber, leftMs }, urgent }: CodeFootProps) {
  const t = useText()
  const isLive = state === 'waiting' || state === 'scanned'
  return (
    <div className={classes.foot}>
      <dl className={classes.match}>
        <dt className={classes.caption}>{t('login.matchNumber')}</dt>
        <dd className={classes.number}>{isLive && matchNumber ? matchNumber : '– –'}</dd>
      </dl>
      <div className={classes.time} role="timer" aria-label={t('login.expiresIn')}>
        <div className={classes.caption}>{t('login.expiresIn')}</div>
        <div className={classes.seconds} data-urgent={urgent || undefined}>
          {/* Rounded up, so that the code goes when the figure does. */}
          {formatStopwatch(Math.ceil(leftMs / 1000) * 1000)}
        </div>
      </div>
    </div>
  )
}
