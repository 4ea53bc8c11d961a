import { countRows } from '@atoll/contract/wire'
import '@mantine/core/styles/NumberInput.layer.css'
import { createWorker } from '@atoll/contract/clusters'
import { errorMessage } from '@atoll/texts/refusals'
import { Meter } from '@atoll/ui'
import { Button, NumberInput, Tooltip } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { keepAfterPayment } from '../../billing/shared/after-payment.ts'
import { readLeft } from '../../billing/shared/pay-with/left-for-card.ts'
import { PayWith } from '../../billing/shared/pay-with/PayWith.tsx'
import { usePayWith } from '../../billing/shared/pay-with/use-pay-with.ts'
import { useCreateWaits } from '../../billing/shared/use-create-waits.ts'
import { runtimeConfig } from '../../config/runtime-config.ts'
import { useInit } from '../../data/home-queries.ts'
import { DialogFooter } from '../../kit/dialog/DialogFooter.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { FormDialog } from '../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../kit/form/use-call-form.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { sayOnPage } from '../../kit/page/page-notice.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useCurrentAccount } from '../../session/account-store.ts'
import { CouponLine } from '../offers/CouponLine.tsx'
import { offersIn } from '../offers/create-choice.ts'
import { EstimateFigures } from '../offers/EstimateFigures.tsx'
import { isCouponRefused, useEstimate } from '../offers/use-estimate.ts'
import { WorkerOffer } from '../offers/WorkerOffer.tsx'
import { useClusters } from '../use-clusters.ts'
import classes from './AddWorkerDialog.module.css'
import { workerChoices } from './worker-choices.ts'

/** Workers for a Cloud cluster: a size, how many, and what that does to the quota before anything is ordered. */
export function AddWorkerDialog({ cluster, opened, onClose }: ClusterDialogProps) {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { pathname, href: here } = useLocation()
  const userid = useCurrentAccount()?.userid ?? ''
  const { clusterId, name } = cluster
  const info = useInit().data?.instanceInfo
  const now = useClusters().clusters?.find((known) => known.clusterId === clusterId) ?? cluster
  // Back from adding a card: what was chosen before it stands again.
  const [before] = useState(() => workerChoices(readLeft()?.choices))
  const [picked, setPicked] = useState(before?.offering)
  // The quota that counts is the owner's, and the server answers the caller's own.
  const ownQuota = cluster.owner.userid === userid
  const cloud = info?.clouds.find(({ cloudName }) => cloudName === cluster.cloudName)
  const offers = (info ? offersIn(info, cloud, cluster.regionId ?? '') : []).filter(
    ({ block }) => ownQuota || block?.kind === 'soldOut' || !block,
  )
  const isFree = offers.every(({ price }) => price?.amount === 0)
  const open = offers.filter(({ block }) => !block)
  const offer = open.find(({ offering }) => offering.name === picked) ?? open[0]
  const [count, setCount] = useState(before?.quantity ?? 1)
  // Only the owner's order is charged, and only they see what it costs.
  const costs = ownQuota && offer?.price !== undefined && offer.price.amount > 0
  const [coupon, setCoupon] = useState(before?.coupon)
  const [typesCoupon, setTypesCoupon] = useState(false)
  const createWaits = useCreateWaits()
  const priced = {
    offering: costs ? offer.offering.name : undefined,
    workers: { clusterId, quantity: count },
  }
  const { estimate, refetch, lacksCard, error: unpriced } = useEstimate({ ...priced, couponCode: coupon })
  const means = usePayWith(costs)
  const payer = estimate && estimate.toCard > 0 ? means.method : undefined
  const { form, field, submit, isPending, error, giveUp } = useCallForm(createWorker, {
    rest: {
      clusterId,
      offering: offer?.offering.name,
      ...(costs && coupon !== undefined && { couponCode: coupon }),
      ...(estimate && { estimateToken: estimate.estimateToken }),
      ...(payer && { methodId: payer.id }),
    },
    values: { quantity: before?.quantity ?? 1 },
  })
  // A figure that no longer holds was refused: the new one is shown and asked for again, without a coupon that is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal, a later coupon stays
  useEffect(() => {
    if (isCouponRefused(error)) setCoupon(undefined)
    else if (error && costs) void refetch()
  }, [error])
  if (!info) return null

  const { quantity } = form.values
  const { vCpuQuota, vCpuUsed, maxWorkers } = info.limit
  const had = countRows(now.workers) ?? 0
  const room = Math.max(0, maxWorkers - had)
  const wanted = vCpuUsed + (offer?.offering.cpuCoreCount ?? 0) * quantity
  const quota = t('create.quotaOf', { used: wanted, quota: vCpuQuota })
  const refusal = !offer
    ? t('create.noneAvailable')
    : ownQuota && createWaits
      ? createWaits
      : quantity > room
        ? errorMessage('tooManyWorkers', locale, { wanted: had + quantity, most: maxWorkers })
        : ownQuota && wanted > vCpuQuota
          ? errorMessage('vCpuQuotaPassed', locale, { wanted, quota: vCpuQuota, product: runtimeConfig().product })
          : costs && !estimate
            ? unpriced
              ? unpriced.message
              : t('create.estimateWaits')
            : typesCoupon
              ? t('create.couponTyped')
              : undefined

  const add = submit((outcome) => {
    const { paid, invoiceId, actionUrl } = outcome
    const text = t('worker.ordered', { count: quantity, name })
    means.settle(outcome, () => {
      if (paid || !invoiceId) {
        onClose()
        return sayOnPage(pathname, text)
      }
      keepAfterPayment(invoiceId, { to: here, text })
      if (actionUrl) return location.assign(actionUrl)
      onClose()
      void navigate({ to: '/payment/$id', params: { id: invoiceId } })
    })
  })
  function close() {
    giveUp()
    onClose()
  }

  return (
    <FormDialog opened={opened} onClose={close} title={t('worker.title', { name })} size={560}>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>{t('create.size')}</legend>
        <div className={classes.offers}>
          {offers.map((item) => (
            <WorkerOffer
              key={item.offering.name}
              offer={item}
              showsPrice={!isFree}
              chosen={item === offer}
              onChoose={() => setPicked(item.offering.name)}
            />
          ))}
        </div>
      </fieldset>
      <div className={classes.row}>
        <NumberInput
          className={classes.quantity ?? ''}
          {...field('quantity')}
          label={t('worker.quantity')}
          min={1}
          max={Math.max(1, room)}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          onChange={(value) => {
            const wanted = typeof value === 'number' && value >= 1 ? value : 1
            form.setFieldValue('quantity', wanted)
            setCount(wanted)
          }}
        />
        {offer?.price && !costs && (
          <div className={classes.price}>
            {isFree ? (
              t('create.noCharge')
            ) : (
              <>
                <b>{formatMoney(offer.price.amount * quantity, offer.price.currency, locale)}</b>
                {t('create.perMonth')}
              </>
            )}
          </div>
        )}
      </div>
      {costs && <CouponLine order={priced} code={coupon} onCode={setCoupon} onTyped={setTypesCoupon} />}
      {estimate && (
        <div className={classes.estimate}>
          <EstimateFigures estimate={estimate} method={payer} />
          <PayWith
            estimate={estimate}
            means={means}
            renewsAt={estimate.nextAt}
            returnTo={`/cluster/${clusterId}`}
            choices={() => ({ workers: { offering: offer?.offering.name, quantity, coupon } })}
          />
        </div>
      )}
      {ownQuota && offer && vCpuQuota > 0 && (
        <div className={classes.quota}>
          <div className={classes.quotaWords}>
            <span>{t('worker.quotaAfter')}</span>
            <span className={classes.figure}>{quota}</span>
          </div>
          <Meter
            share={wanted / vCpuQuota}
            height={4}
            label={t('common.labelled', { label: t('worker.quotaAfter'), value: quota })}
          />
        </div>
      )}
      <p className={classes.refusal} role="status">
        {refusal}
      </p>
      <DialogFooter error={error}>
        <Button onClick={close}>{t('dialog.restartKeep')}</Button>
        <Tooltip label={refusal} disabled={!refusal}>
          <Button
            variant="filled"
            loading={isPending || means.isSettling}
            {...(refusal && { 'data-disabled': true })}
            aria-disabled={refusal !== undefined}
            onClick={refusal ? undefined : () => add()}
          >
            {estimate && !lacksCard && estimate.amount > 0
              ? t('create.payDo', { amount: formatMoney(estimate.amount, estimate.currency, locale) })
              : t('worker.do', { count: quantity })}
          </Button>
        </Tooltip>
      </DialogFooter>
    </FormDialog>
  )
}
