import { Skeleton } from '@mantine/core'
import classes from '../../kit/dialog/Dialog.module.css'
import { CopyValue } from '../../kit/page/CopyValue.tsx'

interface ActivationFactProps {
  label: string
  /** What is copied; undefined while it is asked for. */
  value: string | undefined
  /** What is shown, where that is shorter. */
  shown?: string | undefined
  /** In the face in which letters and digits are told apart. */
  secret?: boolean
}

/** One thing to take along to the wizard, with its copy button. */
export function ActivationFact({ label, value, shown, secret }: ActivationFactProps) {
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
