import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Fragment, type ReactNode, useState } from 'react'
import approval from '../approval/Approval.module.css'
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

/** A part of what is signed: the very object, and what it is where there are several. */
interface SignedPart {
  title?: string
  fields: object
}

interface SignedFieldsProps extends SignedForWhom {
  /** What is asked for, in words. */
  action: string
  /** Lets the person sign as somebody else. */
  change?: ReactNode
  /** More facts that a person compares. */
  children?: ReactNode
  /** In the order in which they are signed. */
  signed: readonly SignedPart[]
}

/** What a signature for a domain says, to whom, and on demand each of its fields. */
export function SignedFields({ host, action, domain, name, did, change, children, signed }: SignedFieldsProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const Chevron = open ? IconChevronUp : IconChevronDown
  return (
    <FactRows
      footer={
        <div className={approval.exact}>
          <button type="button" className={approval.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
            {t(open ? 'approve.hide' : 'approve.show')}
            <Chevron size={16} stroke={1.6} aria-hidden="true" />
          </button>
          {open &&
            signed.map(({ title, fields }) => (
              <Fragment key={title ?? ''}>
                {title && <p className={approval.part}>{title}</p>}
                <pre className={approval.payload} translate="no">
                  {JSON.stringify(fields, null, 2)}
                </pre>
              </Fragment>
            ))}
        </div>
      }
    >
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
