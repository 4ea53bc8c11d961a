import { IconDeviceMobile } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatStopwatch } from '../kit/format/stopwatch.ts'
import { useText } from '../locales/text.ts'
import classes from './SignInPanel.module.css'
import type { SignIn } from './use-sign-in.ts'

interface CodeFootProps {
  signIn: SignIn
  /** Little time is left. */
  urgent: boolean
  /** Ways to take the code along without a camera. */
  children: ReactNode
}

/** Under the code: the number that a wallet on another device asks for, the time left, and ways without a camera. */
export function CodeFoot({ signIn: { state, matchNumber, leftMs }, urgent, children }: CodeFootProps) {
  const t = useText()
  return (
    <div className={classes.foot}>
      <div className={classes.figures}>
        <dl className={classes.match}>
          <dt className="tiny quiet">{t('login.matchNumber')}</dt>
          <dd className={classes.number}>{matchNumber ?? '– –'}</dd>
        </dl>
        <div className={classes.time} role="timer" aria-label={t('login.expiresIn')}>
          <div className="tiny quiet">{t('login.expiresIn')}</div>
          <div className={classes.seconds} data-urgent={urgent || undefined}>
            {/* Rounded up, so that the code goes when the figure does. */}
            {state === 'burnt' ? '– –' : formatStopwatch(Math.ceil(leftMs / 1000) * 1000)}
          </div>
        </div>
      </div>
      {/* Keeps its place, so that nothing moves when the code is spent. */}
      <div className={classes.ways} data-hidden={state !== 'waiting' || undefined}>
        {children}
        {state === 'scanned' && (
          <span className={classes.waits}>
            <IconDeviceMobile size={16} stroke={1.6} aria-hidden="true" />
            {t('login.waiting')}
          </span>
        )}
      </div>
    </div>
  )
}
