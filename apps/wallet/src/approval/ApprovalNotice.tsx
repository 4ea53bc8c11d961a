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
  /** The code is on a page of this device. */
  byLink: boolean
}

type NoticeWords = [tone: 'amber' | 'coral', title: string, help: string | undefined]

/** Why the request cannot be approved now, or why the last try came to nothing. */
export function ApprovalNotice({ approval, state, expired, empty, byLink }: ApprovalNoticeProps) {
  const t = useText()
  const { host, askedDid, signer } = approval
  const notice = (): NoticeWords | undefined => {
    if (empty) return ['amber', t('approve.noIdentity'), t('approve.noIdentityHelp')]
    if (expired) return ['amber', t('approve.expired'), t(byLink ? 'approve.expiredLinkHelp' : 'approve.expiredHelp')]
    if (!signer) return ['coral', t('approve.otherDid'), t('approve.otherDidHelp', { did: askedDid ?? '' })]
    if (approval.foreign) {
      const own = hostsOf(ownOrigins()) || productName()
      return ['coral', t('approve.foreign'), t('approve.foreignHelp', { host, own })]
    }
    if (state.kind === 'refused')
      return ['coral', t('approve.refused', { host }), state.message || t('approve.refusedSilent')]
    if (state.kind === 'unreachable') return ['coral', t('approve.unreachable', { host }), t('approve.unreachableHelp')]
    return state.kind === 'failed' ? ['coral', t('approve.failed'), undefined] : undefined
  }
  const place = useRef<HTMLDivElement>(null)
  const shown = notice()
  const visible = shown !== undefined
  // On a short screen it would begin below the pinned buttons.
  useEffect(() => {
    if (visible) place.current?.scrollIntoView({ block: 'nearest' })
  }, [visible])
  return (
    <div ref={place} className={classes.notice}>
      {shown && (
        <Notice tone={shown[0]} title={shown[1]} role="alert">
          {shown[2] && <span style={{ overflowWrap: 'anywhere' }}>{shown[2]}</span>}
        </Notice>
      )}
    </div>
  )
}

function hostsOf(origins: readonly string[]): string {
  return origins.map((origin) => new URL(origin).host).join(', ')
}
