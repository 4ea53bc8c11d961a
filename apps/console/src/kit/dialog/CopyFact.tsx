import { Skeleton } from '@mantine/core'
import { CopyValue } from '../page/CopyValue.tsx'
import classes from './Dialog.module.css'

interface CopyFactProps {
  label: string
  /** The text to copy; undefined while it is loading. */
  value: string | undefined
  /** The shown text, if it is shorter. */
  shown?: string | undefined
  /** In the face in which letters and digits are unlike each other. */
  secret?: boolean
}

/** One thing to take along from a dialog, with its copy button. */
export function CopyFact({ label, value, shown, secret }: CopyFactProps) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>
        {value ? (
          <span className={secret ? classes.secret : undefined}>{shown ?? value}</span>
        ) : (
          <Skeleton height={16} width="60%" my={3} />
        )}
        {value && (
          <span className={classes.copy}>
            <CopyValue value={value} what={label} />
          </span>
        )}
      </dd>
    </div>
  )
}
