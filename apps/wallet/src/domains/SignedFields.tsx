import type { ReactNode } from 'react'
import approval from '../approval/Approval.module.css'
import { ExactlySigned, type SignedPart } from '../approval/ExactlySigned.tsx'
import { Host } from '../approval/Host.tsx'
import { useText } from '../i18n/text.ts'
import { Did } from '../identities/Did.tsx'
import { FactRow, FactRows } from '../kit/FactRows.tsx'

/** By whom something is signed, about what, for whom. */
export interface SignedForWhom {
  /** Host and port that get the signature. */
  host: string
  /** A-labels. */
  domain: string
  name: string
  did: string
}

interface SignedFieldsProps extends SignedForWhom {
  /** The request in words. */
  action: string
  /** Lets the person sign as somebody else. */
  change?: ReactNode
  /** More facts that a person compares. */
  children?: ReactNode
  /** In the order in which they are signed. */
  signed: readonly SignedPart[]
}

/** A signature for a domain: its statement, its audience, and on demand each of its fields. */
export function SignedFields({ host, action, domain, name, did, change, children, signed }: SignedFieldsProps) {
  const t = useText()
  return (
    <FactRows footer={<ExactlySigned parts={signed} />}>
      <FactRow name={t('approve.action')}>
        <b>{action}</b>
      </FactRow>
      <FactRow name={t('domain.host')}>
        <Host value={host} />
      </FactRow>
      <FactRow name={t('domain.domain')}>
        <Host value={domain} />
      </FactRow>
      {children}
      <FactRow name={t('approve.as')}>
        <span className={approval.as}>
          {name}
          {change}
        </span>
        <Did value={did} full />
      </FactRow>
    </FactRows>
  )
}
