import { cancelNoPaid } from '@atoll/contract/billing'
import type { Resource } from '@atoll/contract/clusters'
import { confirm } from '../../kit/confirm/confirm.ts'
import { text as t } from '../../locales/text.ts'
import { orderOf } from './order-of.ts'

/** Asks whether the order of a cluster that nobody has paid is taken back. */
export function askToCancelOrder(cluster: Resource, leavePage: () => void): void {
  const order = orderOf(cluster)
  if (!order) return
  confirm({
    title: t('order.cancelTitle', { name: cluster.name }),
    lost: [t('order.cancelText')],
    keep: t('order.cancelKeep'),
    act: t('order.cancelDo'),
    danger: true,
    run: { call: cancelNoPaid, body: { subscriptionId: order.subscriptionId }, onSuccess: leavePage },
  })
}
