import { useText } from '../../../locales/text.ts'
import type { Item } from './invoice-item.ts'
import classes from './UsageSum.module.css'

/** Use less the quota, times the rate: each figure over its word, in one line where it fits. */
export function UsageSum({ item, sum }: { item: Item; sum: NonNullable<Item['sum']> }) {
  const t = useText()
  const { explain } = item
  const isStock = explain.rule === 'usage' && explain.measure === 'stock'
  const parts: [sign: string, figure: string, word: string][] = [
    ['', sum.used, t('payment.sumUsed')],
    ['−', sum.included, sum.plan ? t('payment.sumInPlan', { plan: sum.plan }) : t('payment.sumIncluded')],
    ['=', sum.above, t('payment.sumAbove')],
    ['×', sum.rate, isStock ? t('payment.sumPerGbMonth') : t('payment.sumPerGb')],
    // Deductions for earlier bills, or for a cap, are in the sentence that follows.
    ['=', sum.amount, explain.rounded === item.amount ? t('payment.sumCharged') : t('payment.sumTogether')],
  ]
  return (
    <div className={classes.sum}>
      {parts.map(([sign, figure, word]) => (
        <span key={word} className={classes.term}>
          {sign && <span className={classes.sign}>{sign}</span>}
          <span className={classes.part}>
            <b>{figure}</b>
            <span className="tiny quiet">{word}</span>
          </span>
        </span>
      ))}
    </div>
  )
}
