import { Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSurroundings } from '../../../kit/browser/use-surroundings.ts'
import { LoadFailure } from '../../../kit/page/LoadFailure.tsx'
import { useText } from '../../../locales/text.ts'
import { PaymentPanel } from '../../../payment/PaymentPanel.tsx'
import { usePayment } from '../../../payment/use-payment.ts'
import { useClusters } from '../../use-clusters.ts'
import { CreateSteps } from '../CreateSteps.tsx'
import classes from '../CreateWizard.module.css'
import { useCreateSearch } from '../use-create-search.ts'
import { OrderCancel } from './OrderCancel.tsx'

/** An order that is not paid yet: how long it can be, with what, and the way out. Once it is, the clusters show it. */
export function PayStep({ invoiceId, isRestored = false }: { invoiceId: string; isRestored?: boolean }) {
  const t = useText()
  const navigate = useNavigate()
  const { home } = useSurroundings()
  const { search } = useCreateSearch()
  const { data, error, refetch } = usePayment(invoiceId)
  const cluster = useClusters().clusters?.find(({ orders }) => orders?.some((order) => order.invoiceId === invoiceId))
  const isPaid = data?.invoice.status === 'paid'
  const clusterId = useRef<string>(undefined)
  if (cluster) clusterId.current = cluster.clusterId
  useEffect(() => {
    if (!isPaid) return
    // There the password of the backup is asked for.
    if (isRestored && clusterId.current)
      void navigate({ to: '/cluster/$clusterId', params: { clusterId: clusterId.current }, replace: true })
    else void navigate({ to: home, replace: true })
  }, [isPaid, isRestored, navigate, home])
  const steps = [...(isRestored ? [] : (['flavour'] as const)), 'hardware', 'version', 'review', 'pay'] as const
  return (
    <div className={classes.question}>
      <CreateSteps steps={steps} at={steps.length - 1} isClosed />
      <h1 tabIndex={-1}>{t('create.payTitle', { name: cluster?.name ?? search.name ?? '' })}</h1>
      <p className={classes.lead}>{t('create.payLead')}</p>
      {data ? (
        <PaymentPanel {...data} />
      ) : error ? (
        <LoadFailure title={t('create.payError')} error={error} onRetry={refetch} />
      ) : (
        <Skeleton height={260} radius={10} />
      )}
      {cluster && <OrderCancel cluster={cluster} />}
    </div>
  )
}
