import type { ReactNode } from 'react'
import { useText } from '../../../locales/text.ts'
import classes from './CreateSummary.module.css'

interface SelfHostSummaryProps {
  /** A sentence under the way on. */
  note: string | undefined
  /** The way on. */
  children: ReactNode
}

/** Requirements of a self-hosted cluster, and that it costs nothing. On a phone a bar at the bottom. */
export function SelfHostSummary({ note, children }: SelfHostSummaryProps) {
  const t = useText()
  return (
    <aside className={classes.summary} aria-label={t('create.summary')}>
      <div className={classes.rows}>
        <h2 className={classes.heading}>{t('create.summary')}</h2>
        <div className={classes.row}>
          <div>
            <div className="small">{t('create.selfHost')}</div>
            <div className={classes.detail}>{t('create.selfHostNeeds')}</div>
          </div>
        </div>
        <div className={classes.row}>
          <div>
            <div className="small">{t('create.noCharge')}</div>
            <div className={classes.detail}>{t('create.selfHostQuota')}</div>
          </div>
        </div>
      </div>
      <div className={classes.end}>
        <div className={classes.action}>{children}</div>
        {note && <p className={classes.note}>{note}</p>}
      </div>
    </aside>
  )
}
