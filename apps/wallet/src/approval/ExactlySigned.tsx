import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useText } from '../i18n/text.ts'
import classes from './Approval.module.css'

/** A part of what is signed: the very object, and what it is where there are several. */
export interface SignedPart {
  title?: string
  fields: object
}

interface ExactlySignedProps {
  /** In the order in which they are signed. */
  parts: readonly SignedPart[]
}

/** On demand every field that is signed. */
export function ExactlySigned({ parts }: ExactlySignedProps) {
  const t = useText()
  const [open, setOpen] = useState(false)
  const Chevron = open ? IconChevronUp : IconChevronDown
  return (
    <div className={classes.exact}>
      <button type="button" className={classes.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        {t(open ? 'approve.hide' : 'approve.show')}
        <Chevron size={16} stroke={1.6} aria-hidden="true" />
      </button>
      {open &&
        parts.map(({ title, fields }, at) => (
          <Fragment key={title ?? at}>
            {title && <p className={classes.part}>{title}</p>}
            <pre className={classes.payload} translate="no">
              {JSON.stringify(fields, null, 2)}
            </pre>
          </Fragment>
        ))}
    </div>
  )
}
