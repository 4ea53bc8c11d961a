import { emailShow } from '@atoll/contract/accounts'
import { clusterOrder, type Resource } from '@atoll/contract/clusters'
import { Notice, PageHeader, StatusBadge } from '@atoll/ui'
import { Button } from '@mantine/core'
import { Link, Navigate } from '@tanstack/react-router'
import { type Invoice, usePayment } from '../../billing/payment/invoice/use-payment.ts'
import { useCall } from '../../data/use-call.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { ObjectGone } from '../../kit/page/ObjectGone.tsx'
import { ObjectPage } from '../../kit/page/ObjectPage.tsx'
import { usePageTitle } from '../../kit/page/use-page-title.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { ClusterFacts } from '../card/ClusterFacts.tsx'
import { isBeingMade } from '../card/progress-steps.ts'
import { useClusters } from '../use-clusters.ts'
import { Charges } from './Charges.tsx'
import { InstallPanel } from './InstallPanel.tsx'
import classes from './PaidPage.module.css'

/** A cluster that was ordered and paid: what happens now, and what was charged (look/boards-40-49, 46). */
export function PaidPage({ clusterId }: { clusterId: string }) {
  const t = useText()
  const { clusters, error, updatedAt, retry } = useClusters()
  const order = useCall(clusterOrder, { clusterId })
  const cluster = clusters?.find((known) => known.clusterId === clusterId)
  usePageTitle(cluster?.name ?? t('paid.title'))
  const isGone = clusters !== undefined && cluster === undefined
  const failed = [clusters ? null : error, order.error].find((reason) => reason !== null && reason !== undefined)
  return (
    <ObjectPage
      query={{
        data: isGone ? null : cluster && order.data && { cluster, invoiceId: order.data.invoiceId },
        error: isGone ? null : (failed ?? null),
        dataUpdatedAt: updatedAt,
        refetch: () => Promise.all([retry(), order.refetch()]),
      }}
      page={t('paid.title')}
      errorTitle={t('paid.errorTitle')}
      gone={<Gone />}
    >
      {(data) =>
        data === null ? (
          <Gone />
        ) : data.invoiceId === null ? (
          // It cost nothing, or somebody else pays for it.
          <Navigate to="/cluster/$clusterId" params={{ clusterId }} replace />
        ) : (
          <PaidOrder cluster={data.cluster} invoiceId={data.invoiceId} />
        )
      }
    </ObjectPage>
  )
}

function Gone() {
  const t = useText()
  return (
    <ObjectGone title={t('detail.goneTitle')} to={{ page: '/', label: t('detail.goneBack') }}>
      {t('detail.gone')}
    </ObjectGone>
  )
}

function PaidOrder({ cluster, invoiceId }: { cluster: Resource; invoiceId: string }) {
  const t = useText()
  return (
    <ObjectPage
      query={usePayment(invoiceId)}
      page={cluster.name}
      errorTitle={t('paid.errorTitle')}
      gone={<Navigate to="/cluster/$clusterId" params={{ clusterId: cluster.clusterId }} replace />}
    >
      {({ invoice }) =>
        invoice.status === 'open' ? (
          <Navigate to="/payment/$id" params={{ id: invoiceId }} replace />
        ) : (
          <PaidView cluster={cluster} invoice={invoice} />
        )
      }
    </ObjectPage>
  )
}

function PaidView({ cluster, invoice }: { cluster: Resource; invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const { clusterId, name, status } = cluster
  return (
    <>
      <PaidNotice cluster={cluster} invoice={invoice} />
      <PageHeader
        title={name}
        badge={<StatusBadge status={status} locale={locale} />}
        actions={
          <Button
            variant="filled"
            renderRoot={(props) => <Link {...props} to="/cluster/$clusterId" params={{ clusterId }} />}
          >
            {t('paid.open', { name })}
          </Button>
        }
      >
        <ClusterFacts cluster={cluster} />
      </PageHeader>
      <div className={classes.columns}>
        <InstallPanel cluster={cluster} />
        <Charges invoice={invoice} />
      </div>
    </>
  )
}

/** That it is paid, and where the receipt goes; without a linked email the way to link one. */
function PaidNotice({ cluster, invoice }: { cluster: Resource; invoice: Invoice }) {
  const t = useText()
  const locale = useLocale()
  const { data } = useCall(emailShow, {})
  const amount = formatMoney(invoice.amount, invoice.currency, locale)
  const { name, status } = cluster
  const title =
    status === 'paid' || isBeingMade(cluster)
      ? t('paid.done', { amount, name })
      : status === 'inactivated' || status === 'running'
        ? t('paid.doneReady', { amount, name })
        : t('paid.notice', { amount })
  return (
    <div className={classes.notice}>
      <Notice
        tone="green"
        role="status"
        title={title}
        action={
          data?.email === null && (
            <Button size="xs" renderRoot={(props) => <Link {...props} to="/profile" />}>
              {t('paid.linkMail')}
            </Button>
          )
        }
      >
        {data && (data.email === null ? t('paid.noMail') : t('paid.receiptTo', { mail: data.email }))}
      </Notice>
    </div>
  )
}
