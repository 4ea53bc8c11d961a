import { Notice } from '@atoll/ui'
import { useEffect, useRef } from 'react'
import { ownOrigins, productName } from '../api/runtime-config.ts'
import { useText } from '../i18n/text.ts'
import type { Approval } from '../sign/approval.ts'
import type { ApprovalState } from '../sign/use-approval.ts'
import classes from './Approval.module.css'

interface ApprovalNoticeProps {
  approval: Approval
  state: ApprovalState
  expired: boolean
  /** There is no identity at all in this wallet. */
  empty: boolean
}

/** Why the request cannot be approved now, or why the last try came to nothing. */
export function ApprovalNotice({ approval, state, expired, empty }: ApprovalNoticeProps) {
  const t = useText()
  const { host, askedDid, signer } = approval
  const notice = () => {
    if (empty)
      return (
        <Notice tone="amber" title={t('approve.noIdentity')} role="alert">
          {t('approve.noIdentityHelp')}
        </Notice>
      )
    if (expired)
      return (
        <Notice tone="amber" title={t('approve.expired')} role="alert">
          {t('approve.expiredHelp')}
        </Notice>
      )
    if (!signer)
      return (
        <Notice tone="coral" title={t('approve.otherDid')} role="alert">
          <span style={{ overflowWrap: 'anywhere' }}>{t('approve.otherDidHelp', { did: askedDid ?? '' })}</span>
        </Notice>
      )
    if (approval.foreign)
      return (
        <Notice tone="coral" title={t('approve.foreign')} role="alert">
          <span style={{ overflowWrap: 'anywhere' }}>
            {t('approve.foreignHelp', { host, own: hostsOf(ownOrigins()) || productName() })}
          </span>
        </Notice>
      )
    if (state.kind === 'refused')
      return (
        <Notice tone="coral" title={t('approve.refused', { host })} role="alert">
          {state.message || t('approve.refusedSilent')}
        </Notice>
      )
    if (state.kind === 'unreachable')
      return (
        <Notice tone="coral" title={t('approve.unreachable', { host })} role="alert">
          {t('approve.unreachableHelp')}
        </Notice>
      )
    return state.kind === 'failed' ? <Notice tone="coral" title={t('approve.failed')} role="alert" /> : null
  }
  const place = useRef<HTMLDivElement>(null)
  const shown = notice()
  const visible = shown !== null
  // On a short screen it would begin below the pinned buttons.
  useEffect(() => {
    if (visible) place.current?.scrollIntoView({ block: 'nearest' })
  }, [visible])
  return (
    <div ref={place} className={classes.notice}>
      {shown}
    </div>
  )
}

function hostsOf(origins: readonly string[]): string {
  return origins.map((origin) => new URL(origin).host).join(', ')
}
