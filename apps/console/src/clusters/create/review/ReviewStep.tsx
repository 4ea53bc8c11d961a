import { isDisplayableName } from '@atoll/contract/wire'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSurroundings } from '../../../kit/browser/use-surroundings.ts'
import { formatMoney } from '../../../kit/format/money.ts'
import { formatTime } from '../../../kit/format/times.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { CouponLine } from '../../offers/CouponLine.tsx'
import { resolveChoice } from '../../offers/create-choice.ts'
import { NoCard } from '../../offers/NoCard.tsx'
import { isCouponRefused, useEstimate } from '../../offers/use-estimate.ts'
import { keepChoices } from '../kept-choices.ts'
import type { StepProps } from '../step-props.ts'
import { stepsOf } from '../steps-of.ts'
import { useCreateSearch } from '../use-create-search.ts'
import { useOrderForm } from '../use-order-form.ts'
import { OrderFrame } from './OrderFrame.tsx'
import { ReviewRows } from './ReviewRows.tsx'

/** The name, everything that was chosen, and the button that creates it. */
export function ReviewStep({ init, userid, source }: StepProps) {
  const t = useText()
  const navigate = useNavigate()
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
      ...(source && { restore: { backupId: source.backupId, snapshotId: source.snapshot.snapshotId } }),
    }
  const order = useOrderForm(userid, chosen)
  const submit = order.submit(({ clusterId, paid, invoiceId, actionUrl }) => {
    if (actionUrl) location.assign(actionUrl)
    else if (source && (paid || !invoiceId)) void navigate({ to: '/cluster/$clusterId', params: { clusterId } })
    else if (paid || !invoiceId) void navigate({ to: home })
    else void navigate({ to: '.', search: { step: 'pay', invoice: invoiceId, name: order.name }, replace: true })
  })
  // A figure that no longer holds was refused: the new one is shown and asked for again, without a coupon that is gone.
  const { error } = order
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, a later coupon stays
  useEffect(() => {
    if (isCouponRefused(error)) choose({ coupon: undefined })
    else if (error && costs) void refetch()
  }, [error])

  return (
    <OrderFrame
      init={init}
      choice={choice}
      lead={t('create.reviewLead')}
      order={order}
      does={
        estimate &&
        (lacksCard
          ? t('create.orderDo')
          : t('create.payDo', { amount: formatMoney(estimate.amount, estimate.currency, locale) }))
      }
      waits={costs && !estimate ? t('create.estimateWaits') : typesCoupon ? t('create.couponTyped') : undefined}
      note={estimate && t('create.holdsUntil', { time: formatTime(estimate.validUntil, Date.now(), locale) })}
      onSubmit={(event) => (chosen ? submit(event) : event.preventDefault())}
    >
      <ReviewRows
        choice={choice}
        steps={stepsOf(search, init.instanceInfo)}
        owner={isDisplayableName(init.user.terminusName) ? init.user.terminusName : init.user.userid}
      />
      {costs && (
        <CouponLine order={priced} code={coupon} onCode={(code) => choose({ coupon: code })} onTyped={setTypesCoupon} />
      )}
      {estimate && lacksCard && <NoCard estimate={estimate} returnTo={pathname} onLeave={keepChoices} />}
    </OrderFrame>
  )
}
