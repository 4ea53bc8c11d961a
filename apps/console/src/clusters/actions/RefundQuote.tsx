import { getEstimatedRefundAmount } from '@atoll/contract/billing'
import type { Resource } from '@atoll/contract/clusters'
import { countRows, countUnreadable } from '@atoll/contract/wire'
import { Skeleton } from '@mantine/core'
import { useEffect } from 'react'
import { useCall } from '../../data/use-call.ts'
import type { QuoteProps } from '../../kit/confirm/confirm.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { FigureLine } from '../../kit/figures/FigureLine.tsx'
import { FigureLines } from '../../kit/figures/FigureLines.tsx'
import { UnreadableLines } from '../../kit/figures/UnreadableLines.tsx'
import { formatMoney } from '../../kit/format/money.ts'
import { formatTotal } from '../../kit/format/total.ts'
import { FailureNotice } from '../../kit/page/FailureNotice.tsx'
import { useLocale, useText } from '../../locales/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'

interface RefundQuoteProps extends QuoteProps {
  cluster: Resource
  /** Only this worker; undefined: the cluster as a whole. */
  instanceId: string | undefined
}

/** The refund of destroying, to the cent, or the amount still to pay; nothing if nothing was paid. */
export function RefundQuote({ cluster, instanceId, onQuote }: RefundQuoteProps) {
  const t = useText()
  const locale = useLocale()
  const instanceName = useInstanceName()
  const { clusterId, workers } = cluster
  const { data, error } = useCall(getEstimatedRefundAmount, { clusterId, ...(instanceId && { instanceId }) })
  const token = data?.estimateToken
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parent may hand down a new function each time
  useEffect(() => onQuote(token === undefined ? undefined : { estimateToken: token }), [token])

  // A refund is the same without being shown first: a failure to load is shown, and holds nothing up.
  if (!data)
    return error ? (
      <FailureNotice error={error} title={t('dialog.refundUnknown')} className={classes.failure} />
    ) : (
      <Skeleton height={86} mt={16} />
    )
  const { items, owed, amount, toPromo, currency } = data
  if (countRows(items) === 0 && countRows(owed) === 0) return null
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const isOwed = countRows(owed) !== 0
  const sign = isOwed ? -1 : 1
  const nameOf = (id: string) => {
    const worker = workers.find((known) => known.instanceId === id)
    return instanceName(worker ? { role: 'worker', name: worker.name } : { role: 'master', name: 'master' })
  }
  return (
    <FigureLines form="table" label={t('dialog.refundLabel')}>
      {owed.map((invoice) => (
        <FigureLine
          key={invoice.invoiceId}
          label={t('dialog.refundOwed', { number: invoice.number })}
          amount={money(invoice.amount)}
        />
      ))}
      {items.map((item) => (
        <FigureLine
          key={`${item.instanceId} ${item.chargedFrom}`}
          label={t(item.proration ? 'dialog.refundUnused' : 'dialog.refundWhole', { name: nameOf(item.instanceId) })}
          detail={item.productName}
          amount={money(sign * item.amount)}
        />
      ))}
      <UnreadableLines of={countUnreadable([], owed, items)} />
      {toPromo > 0 && <FigureLine label={t('dialog.refundPromo')} amount={money(toPromo)} total />}
      {(amount > 0 || (!isOwed && toPromo === 0)) && (
        <FigureLine label={t('dialog.refundTotal')} amount={money(amount)} total />
      )}
      {isOwed && (
        <FigureLine
          label={t('dialog.refundToPay')}
          amount={formatTotal(
            owed.reduce((sum, { stillToPay }) => sum + stillToPay, 0),
            [owed],
            { currency, locale },
          )}
          total
        />
      )}
    </FigureLines>
  )
}
