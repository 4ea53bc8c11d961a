import { Meter } from '@atoll/ui'
import { useText } from '../../../locales/text.ts'
import classes from './QuotaBars.module.css'

export interface QuotaBar {
  key: string
  label: string
  used: string
  /** Undefined: there is no limit, and so no bar. */
  total?: string | undefined
  /** 0 to 1 of the limit, more when over. */
  share: number
  /** The cost so far of use above the account's quota; absent: nothing. */
  cost?: string | undefined
  stale?: boolean
}

/** Amounts against their limits, side by side. */
export function QuotaBars({ bars }: { bars: QuotaBar[] }) {
  const t = useText()
  return (
    <div className={classes.bars}>
      {bars.map(({ key, label, used, total, share, cost, stale }) => (
        <div key={key} className="grow">
          <div className={classes.words}>
            <span>
              {label} {cost && <b className={classes.cost}>{cost}</b>}
            </span>
            <span className={classes.amount} data-stale={stale || undefined}>
              <b>{used}</b>
              {total !== undefined && t('cluster.ofTotal', { total })}
            </span>
          </div>
          {total !== undefined && (
            <Meter
              share={share}
              stale={stale ?? false}
              label={
                cost
                  ? t('cluster.meterOver', { what: label, used, total, cost })
                  : t('cluster.meterText', { what: label, used, total })
              }
            />
          )}
        </div>
      ))}
    </div>
  )
}
