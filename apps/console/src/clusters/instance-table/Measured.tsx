import { Meter } from '@atoll/ui'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useText } from '../../locales/text.ts'
import classes from './Measured.module.css'

interface MeasuredProps {
  label: string
  /** 0 to 1; undefined: not known. */
  share: number | undefined
  text: string
  /** A last known value: grey. */
  stale: boolean
}

/** A measured share with its figure. */
export function Measured({ label, share, text, stale }: MeasuredProps) {
  const t = useText()
  if (share === undefined) return <NoValue />
  return (
    <span className={classes.measured} data-stale={stale || undefined}>
      <span className={classes.meter}>
        <Meter share={share} stale={stale} height={4} label={t('common.labelled', { label, value: text })} />
      </span>
      {text}
    </span>
  )
}
