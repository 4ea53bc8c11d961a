import { installTime } from '@atoll/contract/clusters'
import { isDisplayableName } from '@atoll/contract/wire'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { type AfterPayment, keepAfterPayment } from '../../../billing/shared/after-payment.ts'
import { PayWith } from '../../../billing/shared/pay-with/PayWith.tsx'
import { usePayWith } from '../../../billing/shared/pay-with/use-pay-with.ts'
import { useAccountNow } from '../../../billing/shared/use-customer.ts'
import { useGoOn } from '../../../billing/shared/use-go-on.ts'
import { useCall } from '../../../data/use-call.ts'
import { useSurroundings } from '../../../kit/browser/use-surroundings.ts'
import { Deadline } from '../../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../../kit/format/deadlines.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { sentenceGap } from '../../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { CouponLine } from '../../offers/CouponLine.tsx'
import { resolveChoice } from '../../offers/create-choice.ts'
import { isCouponRefused, useEstimate } from '../../offers/use-estimate.ts'
import { restoreOf, type StepProps } from '../step-props.ts'
import { stepsOf } from '../steps-of.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { useOrderForm } from '../use-order-form.ts'
import { OrderFrame } from './OrderFrame.tsx'
import { ReviewRows } from './ReviewRows.tsx'

const minuteMs = 60_000

/** The name, everything that was chosen, with what it is paid, and the button that orders it. */
export function ReviewStep({ init, userid, source }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
  const goOn = useGoOn()
  const { home } = useSurroundings()
  const locale = useLocale()
  const { search, choose } = useCreateSearch()
  const { pathname } = useLocation()
  const choice = resolveChoice(search, init.instanceInfo)
  const { cloud, region, offer, version } = choice
  const costs = offer?.price !== undefined && offer.price.amount > 0
  const { coupon } = search
  const [typesCoupon, setTypesCoupon] = useState(false)
  const priced = { offering: costs ? offer.offering.name : undefined }
  const { estimate, refetch, lacksCard } = useEstimate({ ...priced, couponCode: coupon })
  const means = usePayWith(costs)
  const payer = estimate && estimate.toCard > 0 ? means.method : undefined
  const chosen = cloud &&
    region &&
    offer &&
    version && {
      clusterType: 'Cloud',
      cloudName: cloud.cloudName,
      regionId: region.regionId,
      offering: offer.offering.name,
      version: version.version,
      ...(costs && coupon !== undefined && { couponCode: coupon }),
      ...(estimate && { estimateToken: estimate.estimateToken }),
      ...(payer && { methodId: payer.id }),
      ...(source && { restore: restoreOf(source) }),
    }
  const order = useOrderForm(userid, chosen)
  const submit = order.submit((outcome) => {
    const { clusterId, paid, invoiceId, actionUrl, amount } = outcome
    const text = estimate && t('paid.notice', { amount: formatMoney(amount, estimate.currency, locale) })
    const after: AfterPayment = source
      ? // There the password of the backup is asked for.
        { to: `/cluster/${clusterId}`, text }
      : // The wallet's web view has no page beyond its own.
        home === '/'
        ? { to: `/paid/${clusterId}` }
        : { to: home, text }
    means.settle(outcome, () => {
      if (!invoiceId && source) return void navigate({ to: '/cluster/$clusterId', params: { clusterId } })
      if (!invoiceId) return void navigate({ to: home })
      if (paid) return goOn(after)
      keepAfterPayment(invoiceId, after)
      if (actionUrl) location.assign(actionUrl)
      // The order is placed: the way back would order another.
      else void navigate({ to: '/payment/$id', params: { id: invoiceId }, replace: true })
    })
  })
  // A figure that no longer holds was refused: the new one is shown and asked for again, without a coupon that is gone.
  const { error } = order
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, a later coupon stays
  useEffect(() => {
    if (isCouponRefused(error)) choose({ coupon: undefined })
    else if (error && costs) void refetch()
  }, [error])

  const now = useAccountNow(minuteMs)
  const size = { cloudName: cloud?.cloudName ?? '', offering: offer?.offering.name ?? '' }
  const seconds = useCall(installTime, size, { enabled: offer !== undefined && !source }).data?.seconds
  const covered = estimate && estimate.amount > 0 && estimate.toCard + estimate.rolledOver === 0

  return (
    <OrderFrame
      init={init}
      choice={choice}
      title={t(costs ? 'create.reviewPayTitle' : 'create.reviewTitle')}
      lead={[
        t(costs ? 'create.reviewPayLead' : 'create.reviewLead'),
        seconds ? t('create.readyAfter', { minutes: Math.ceil(seconds / 60) }) : '',
      ]
        .filter(Boolean)
        .join(sentenceGap(locale))}
      order={order}
      isBusy={means.isSettling}
      payer={payer}
      does={
        estimate &&
        (lacksCard
          ? t('create.orderDo')
          : covered
            ? t('money.payFromBalance')
            : t('create.payDo', { amount: formatMoney(estimate.amount, estimate.currency, locale) }))
      }
      waits={costs && !estimate ? t('create.estimateWaits') : typesCoupon ? t('create.couponTyped') : undefined}
      note={
        estimate && (
          <Deadline at={estimate.validUntil} now={now}>
            {t('create.holdsUntil', {
              time: formatDeadline(estimate.validUntil, now, locale),
              minutes: Math.max(0, Math.ceil((Date.parse(estimate.validUntil) - now) / minuteMs)),
            })}
          </Deadline>
        )
      }
      means={
        estimate && (
          <PayWith
            estimate={estimate}
            means={means}
            renewsAt={estimate.nextAt}
            returnTo={pathname}
            choices={() => ({ ...search, step: 'review', name: order.form.values.name })}
          />
        )
      }
      onSubmit={(event) => (chosen ? submit(event) : event.preventDefault())}
    >
      <ReviewRows
        order={order}
        choice={choice}
        steps={stepsOf(search, init.instanceInfo)}
        owner={isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid}
      />
      {costs && (
        <CouponLine order={priced} code={coupon} onCode={(code) => choose({ coupon: code })} onTyped={setTypesCoupon} />
      )}
    </OrderFrame>
  )
}
