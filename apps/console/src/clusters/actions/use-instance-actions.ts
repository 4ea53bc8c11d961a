import { clusterRetry, clusterStart, destroyKeep, type InstanceAction, type Resource } from '@atoll/contract/clusters'
import {
  IconArrowBackUp,
  IconCreditCard,
  IconPlayerPlay,
  IconRefresh,
  IconRotate,
  IconSquare,
  IconTool,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { orderOfInstance } from '../order/order-of.ts'
import { type Action, openFirst } from './action.ts'
import { type AnyInstance, type ClusterQuestion, useClusterDialogs } from './cluster-dialogs-context.ts'

/** Refusing these says no more than that nothing is wrong. */
const onlyWhenAllowed: ReadonlySet<InstanceAction> = new Set(['retry', 'repair', 'keep', 'cancelInstance'])

/** What can be done to one instance now, and what cannot with the reason in words; as data. */
export function useInstanceActions(cluster: Resource, instance: AnyInstance): Action[] {
  const t = useText()
  const dialogs = useClusterDialogs()
  const { clusterId } = cluster
  const target = { clusterId, instanceId: instance.instanceId }
  const options = { toast: true, state: instance.status }
  const start = useCallMutation(clusterStart, options)
  const retry = useCallMutation(clusterRetry, options)
  const keep = useCallMutation(destroyKeep, options)
  const offline = useOfflineReason()
  const navigate = useNavigate()
  const locale = useLocale()
  const order = instance.role === 'worker' ? orderOfInstance(cluster, instance.instanceId) : undefined
  const ask = (kind: ClusterQuestion) => () => dialogs.ask(kind, cluster, instance)

  const known: Record<InstanceAction, Omit<Action, 'key'>> = {
    retry: {
      label: t('action.retry'),
      icon: IconRotate,
      place: 'main',
      busy: retry.isPending,
      onSelect: () => retry.mutate(target),
    },
    repair: { label: t('action.repair'), icon: IconTool, place: 'main', onSelect: ask('repair') },
    keep: {
      label: t('action.keep'),
      icon: IconArrowBackUp,
      place: 'main',
      busy: keep.isPending,
      onSelect: () => keep.mutate(target),
    },
    start: {
      label: t('action.start'),
      icon: IconPlayerPlay,
      place: 'menu',
      busy: start.isPending,
      onSelect: () => start.mutate(target),
    },
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
  const actions = (Object.keys(known) as InstanceAction[]).flatMap((key): Action[] => {
    if (instance.actions.includes(key)) return [{ key, ...known[key], disabledReason: offline }]
    const disabledReason = onlyWhenAllowed.has(key) ? undefined : instance.refusals[key]
    return disabledReason ? [{ key, ...known[key], disabledReason }] : []
  })
  if (!order) return openFirst(actions)
  const pay: Action = {
    key: 'pay',
    label: t('action.pay', { amount: formatMoney(order.amount, order.currency, locale) }),
    icon: IconCreditCard,
    place: 'main',
    disabledReason: offline,
    onSelect: () => void navigate({ to: '/payment/$id', params: { id: order.invoiceId } }),
  }
  return [pay, ...openFirst(actions)]
}
