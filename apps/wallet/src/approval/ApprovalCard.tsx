import type { ReactNode } from 'react'
import { productName } from '../api/runtime-config.ts'
import { currentLocale } from '../i18n/language.ts'
import { useText } from '../i18n/text.ts'
import { formatDeadlineClock, formatMoment } from '../i18n/times.ts'
import { Did } from '../identities/Did.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'
import type { Approval } from '../sign/approval.ts'
import classes from './Approval.module.css'
import { ExactlySigned } from './ExactlySigned.tsx'

interface ApprovalCardProps {
  approval: Approval
  /** ms, server's clock */
  now: number
  /** The very objects that are signed. */
  signed: { header: object; payload: object } | undefined
  /** Lets the person sign as somebody else; absent when there is nobody else to choose. */
  change?: ReactNode
}

/** Action, time and identity of a request, and on demand every byte that is signed. */
export function ApprovalCard({ approval, now, signed, change }: ApprovalCardProps) {
  const t = useText()
  const locale = currentLocale()
  const product = productName()
  const { signer, madeAt, validUntil } = approval
  const age = Math.max(0, Math.floor((now - madeAt) / 1000))
  const until = formatDeadlineClock(validUntil, locale)
  return (
    <FactRows footer={signed && <ExactlySigned parts={[{ fields: signed.header }, { fields: signed.payload }]} />}>
      <FactRow name={t('approve.action')}>
        <b>{t(approval.event === 'login_cloud' ? 'approve.signIn' : 'approve.activation', { product })}</b>
      </FactRow>
      <FactRow name={t('approve.time')}>
        <span className="num">{formatMoment(madeAt, locale)}</span>
        <span className={classes.small}>
          {now < validUntil ? t('approve.age', { count: age, until }) : t('approve.over', { until })}
        </span>
      </FactRow>
      {signer && (
        <FactRow name={t('approve.as')}>
          <span className={classes.as}>
            {signer.name ?? t('home.noId', { product })}
            {change}
          </span>
          <Did value={signer.did} full />
          {approval.askedDid && <span className={classes.small}>{t('approve.askedFor')}</span>}
        </FactRow>
      )}
    </FactRows>
  )
}
