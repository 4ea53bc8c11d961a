import { Meter } from '@atoll/ui'
import { useText } from '../../kit/i18n/text.ts'
import table from '../../kit/table/Table.module.css'

interface MeasuredProps {
  label: string
  /** 0 to 1; undefined: not known. */
  share: number | undefined
  text: string
  /** What we last knew: grey. */
  stale: boolean
}

/** A measured share with its figure; a dash, and words for who cannot see it, where there is none. */
export function Measured({ label, share, text, stale }: MeasuredProps) {
  const t = useText()
  if (share === undefined) {
    return (
      <span className={table.none}>
        <span aria-hidden="true">{t('detail.none')}</span>
        <span className={table.hidden}>{t('detail.noneText')}</span>
      </span>
    )
  }
  return (
    <span className={table.measured} data-stale={stale || undefined}>
      <span className={table.meter}>
        <Meter share={share} stale={stale} height={4} label={`${label}: ${text}`} />
      </span>
      {text}
    </span>
  )
}
