import type { InstanceAction, Resource } from '@atoll/contract/clusters'
import { IconRefresh, IconSquare, IconTool, IconTrash, IconX } from '@tabler/icons-react'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { type Action, explainActions, openFirst } from '../../kit/menu/action.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { orderOfInstance } from '../order/order-of.ts'
import { type AnyInstance, type ClusterQuestion, useClusterDialogs } from './cluster-dialogs-context.ts'
import { isObvious } from './obvious-refusals.ts'
import { useDirectActions } from './use-direct-actions.ts'

/** Refusing these says no more than that nothing is wrong. */
const onlyWhenAllowed: ReadonlySet<InstanceAction> = new Set(['retry', 'repair', 'keep', 'cancelInstance'])

/** Actions on one instance, those refused now with the reason in words; as data. */
export function useInstanceActions(cluster: Resource, instance: AnyInstance): Action[] {
  const t = useText()
  const dialogs = useClusterDialogs()
  const target = { clusterId: cluster.clusterId, instanceId: instance.instanceId }
  const direct = useDirectActions(target, { toast: true, state: instance.status })
  const refused = useChangeRefusal()
  const locale = useLocale()
  const order = instance.role === 'worker' ? orderOfInstance(cluster, instance.instanceId) : undefined
  const ask = (kind: ClusterQuestion) => () => dialogs.ask(kind, cluster, instance)

  const known: Record<InstanceAction, Omit<Action, 'key'>> = {
    retry: direct.retry,
    repair: { label: t('action.repair'), icon: IconTool, place: 'main', onSelect: ask('repair') },
    keep: direct.keep,
    start: { ...direct.start, place: 'menu' },
    restart: { label: t('action.restart'), icon: IconRefresh, place: 'menu', onSelect: ask('restart') },
    stop: { label: t('action.stop'), icon: IconSquare, place: 'menu', onSelect: ask('stop') },
    cancelInstance: {
      label: t('action.cancel'),
      icon: IconX,
      place: 'menu',
      danger: true,
      onSelect: ask('cancel'),
    },
    destroyWorker: {
      label: t('action.destroyWorker'),
      icon: IconTrash,
      place: 'menu',
      danger: true,
      onSelect: ask('destroyWorker'),
    },
  }
  const kind = { isSelfHosted: cluster.clusterType === 'SelfHost', osActive: cluster.osActive }
  const actions = explainActions(known, instance, onlyWhenAllowed, refused).filter(
    ({ key }) =>
      // `key` is of `known`
      instance.actions.some((allowed) => allowed === key) || !isObvious(key as InstanceAction, instance, kind),
  )
  if (!order) return openFirst(actions)
  const amount = formatMoney(order.amount, order.currency, locale)
  return [direct.pay(order.invoiceId, t('action.pay', { amount })), ...openFirst(actions)]
}
