import { type PlanOffer, planChange, planChangeEstimate } from '@atoll/contract/billing'
import { Button, Skeleton } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useInit } from '../../../data/home-queries.ts'
import { useCall } from '../../../data/use-call.ts'
import { useCallMutation } from '../../../data/use-call-mutation.ts'
import classes from '../../../kit/dialog/Dialog.module.css'
import { DialogFooter } from '../../../kit/dialog/DialogFooter.tsx'
import { PageDialog } from '../../../kit/dialog/PageDialog.tsx'
import { FigureLine } from '../../../kit/figures/FigureLine.tsx'
import { FigureLines } from '../../../kit/figures/FigureLines.tsx'
import { formatDate, formatPeriod, formatShortDate } from '../../../kit/format/billing-dates.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { sayOnPage } from '../../../kit/page/page-notice.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { keepAfterPayment } from '../../shared/after-payment.ts'
import { PayWith } from '../../shared/pay-with/PayWith.tsx'
import { usePayWith } from '../../shared/pay-with/use-pay-with.ts'
import { useZone } from '../../shared/use-customer.ts'
import { IncludedLines } from './IncludedLines.tsx'

interface PlanDialogProps {
  /** The one that was chosen. */
  plan: PlanOffer
  plans: readonly PlanOffer[]
  currency: string
  opened: boolean
  onClose: () => void
}

/** The cost and start of a plan change, before it is made: up now, down at the end of the period. */
export function PlanDialog({ plan, plans, currency, opened, onClose }: PlanDialogProps) {
  const t = useText()
  const locale = useLocale()
  const zone = useZone()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { planLevel, name } = plan
  const { data: estimate, error, refetch } = useCall(planChangeEstimate, { planLevel }, { enabled: opened })
  const change = useCallMutation(planChange)
  const used = useInit().data?.instanceInfo.limit.vCpuUsed ?? 0
  const current = plans.find(({ isCurrent }) => isCurrent)
  const isUp = planLevel > (current?.planLevel ?? 0)
  const money = (minor: number) => formatMoney(minor, currency, locale)
  const date = estimate ? formatDate(estimate.effectiveAt, zone, locale) : ''
  const means = usePayWith(opened && isUp)
  const payer = estimate && estimate.toCard > 0 ? means.method : undefined

  function close() {
    change.giveUp()
    onClose()
  }
  const act = () =>
    estimate &&
    change.mutate(
      { planLevel, estimateToken: estimate.estimateToken, ...(payer && { methodId: payer.id }) },
      {
        onSuccess(outcome) {
          const { paid, actionUrl, invoiceId } = outcome
          const text = t(isUp ? 'billing.planRaised' : 'billing.planLowered', { plan: name, date })
          means.settle(outcome, () => {
            // Only a change that is paid is done; else its payment says how it goes on.
            if (paid) {
              onClose()
              return sayOnPage(pathname, text)
            }
            if (invoiceId) keepAfterPayment(invoiceId, { to: pathname, text })
            if (actionUrl) return location.assign(actionUrl)
            onClose()
            if (invoiceId) void navigate({ to: '/payment/$id', params: { id: invoiceId } })
          })
        },
        // A figure that no longer holds is refused: the new one is shown, and asked for again.
        onError: () => void refetch(),
      },
    )

  return (
    <PageDialog
      opened={opened}
      onClose={close}
      title={t(isUp ? 'billing.upTitle' : 'billing.downTitle', { plan: name })}
      size={500}
    >
      {!estimate && error && <LoadFailure title={t('billing.estimateError')} error={error} onRetry={refetch} />}
      {!estimate && !error && <Skeleton height={150} />}
      {estimate && (
        <>
          <p className={classes.text}>{isUp ? t('billing.upText') : t('billing.downText', { date })}</p>
          {isUp ? (
            <FigureLines form="table" label={t('billing.payToday')}>
              {estimate.items.map((item, at) => (
                <FigureLine
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines of a bill have no other name
                  key={at}
                  label={item.productName}
                  detail={formatPeriod(item.periodStart, item.periodEnd, zone, locale)}
                  amount={money(item.amount)}
                />
              ))}
              {estimate.discount > 0 && (
                <FigureLine
                  label={estimate.coupon ? t('billing.coupon', { code: estimate.coupon }) : t('billing.discount')}
                  amount={money(-estimate.discount)}
                />
              )}
              <FigureLine label={t('billing.payToday')} amount={money(estimate.amount)} total />
            </FigureLines>
          ) : (
            <FigureLines form="table" label={t('billing.perMonth')}>
              {current && (
                <FigureLine label={t('billing.until', { plan: current.name, date })} amount={money(current.amount)} />
              )}
              <FigureLine label={t('billing.from', { plan: name, date })} amount={money(plan.amount)} total />
            </FigureLines>
          )}
          {isUp && (
            <p className={classes.help}>
              {[
                t('billing.thenMonthly', { amount: money(estimate.perMonth) }),
                estimate.afterCoupon &&
                  t('billing.afterCoupon', {
                    code: estimate.afterCoupon.code,
                    date: formatShortDate(estimate.afterCoupon.from, zone, locale),
                    amount: money(estimate.afterCoupon.amount),
                  }),
              ]
                .filter(Boolean)
                .join(t('billing.stop'))}
            </p>
          )}
          {isUp && <IncludedLines estimate={estimate} />}
          {isUp && (
            <PayWith
              estimate={estimate}
              means={means}
              renewsAt={estimate.nextAt}
              returnTo="/billing"
              choices={() => ({ planLevel })}
            />
          )}
          {!isUp && used > plan.quotas.vCpu && (
            <p className={classes.help}>{t('billing.aboveVCpu', { used, plan: name, quota: plan.quotas.vCpu })}</p>
          )}
        </>
      )}
      <DialogFooter error={change.error}>
        <Button onClick={close}>{current ? t('billing.stay', { plan: current.name }) : t('failure.close')}</Button>
        <Button variant="filled" loading={change.isPending || means.isSettling} disabled={!estimate} onClick={act}>
          {estimate && isUp && estimate.amount > 0
            ? t('billing.payAmount', { amount: money(estimate.amount) })
            : t(isUp ? 'billing.upDo' : 'billing.downDo', { plan: name })}
        </Button>
      </DialogFooter>
    </PageDialog>
  )
}
