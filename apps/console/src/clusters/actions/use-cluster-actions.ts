import { type ClusterAction, clusterRetry, clusterStart, destroyKeep, type Resource } from '@atoll/contract/clusters'
import {
  IconArrowBackUp,
  IconBolt,
  IconCreditCard,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconRotate,
  IconSquare,
  IconTool,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type CallMutationOptions, useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { orderOf, overdueOf } from '../order/order-of.ts'
import { type Action, openFirst } from './action.ts'
import { useClusterDialogs } from './cluster-dialogs-context.ts'

export interface ClusterActions {
  /** What the status machine lets a person do now; without a network each with that reason why not. */
  actions: Action[]
  /** The same, and what it refuses now with the reason in words. */
  explained: Action[]
  /** Why the last action without a dialog failed. */
  failure: Error | null
  dismissFailure: () => void
}

/** Refusing these says no more than that nothing is wrong. */
const onlyWhenAllowed: ReadonlySet<ClusterAction> = new Set(['retry', 'keep', 'cancel', 'cancelUnpaid', 'repair'])

/**
 * Exactly what the status machine lets a person do with `cluster` now, as data. Actions of later versions are left
 * out. `toast` is that of the calls of those without a dialog.
 */
export function useClusterActions(
  cluster: Resource,
  { toast = false }: Pick<CallMutationOptions<typeof clusterStart>, 'toast'> = {},
): ClusterActions {
  const t = useText()
  const dialogs = useClusterDialogs()
  const { clusterId, status: state } = cluster
  const start = useCallMutation(clusterStart, { toast, state })
  const retry = useCallMutation(clusterRetry, { toast, state })
  const keep = useCallMutation(destroyKeep, { toast, state })
  const isSelfHosted = cluster.clusterType === 'SelfHost'
  const offline = useOfflineReason()
  const navigate = useNavigate()
  const locale = useLocale()
  const order = orderOf(cluster)
  const overdue = overdueOf(cluster)
  const toPay = order ?? overdue

  const known: Partial<Record<ClusterAction, Omit<Action, 'key'>>> = {
    activate: {
      label: t('action.activate'),
      icon: IconBolt,
      place: 'main',
      primary: true,
      onSelect: () => dialogs.open('activate', cluster),
    },
    retry: {
      label: t('action.retry'),
      icon: IconRotate,
      place: 'main',
      busy: retry.isPending,
      onSelect: () => retry.mutate({ clusterId }),
    },
    repair: {
      label: t('action.repair'),
      icon: IconTool,
      place: 'main',
      onSelect: () => dialogs.ask('repair', cluster),
    },
    keep: {
      label: t('action.keep'),
      icon: IconArrowBackUp,
      place: 'main',
      busy: keep.isPending,
      onSelect: () => keep.mutate({ clusterId }),
    },
    start: {
      label: t('action.start'),
      icon: IconPlayerPlay,
      place: 'main',
      busy: start.isPending,
      onSelect: () => start.mutate({ clusterId }),
    },
    restart: {
      label: t('action.restart'),
      icon: IconRefresh,
      place: 'side',
      onSelect: () => dialogs.ask('restart', cluster),
    },
    stop: { label: t('action.stop'), icon: IconSquare, place: 'side', onSelect: () => dialogs.ask('stop', cluster) },
    addWorker: {
      label: t(isSelfHosted ? 'action.addMachine' : 'action.addWorker'),
      icon: IconPlus,
      place: 'menu',
      onSelect: () => dialogs.open(isSelfHosted ? 'addHost' : 'addWorker', cluster),
    },
    cancelUnpaid: {
      label: t('action.cancelUnpaid'),
      icon: IconX,
      place: 'main',
      onSelect: () => dialogs.ask('cancelUnpaid', cluster),
    },
    cancel: {
      label: t('action.cancel'),
      icon: IconX,
      place: 'menu',
      danger: true,
      onSelect: () => dialogs.ask('cancel', cluster),
    },
    destroyMaster: {
      label: t('action.destroyMaster'),
      icon: IconTrash,
      place: 'menu',
      danger: true,
      onSelect: () => dialogs.ask('destroy', cluster),
    },
  }
  const ordered = Object.keys(known) as ClusterAction[]
  const explained = ordered.flatMap((key): Action[] => {
    const action = known[key]
    if (!action) return []
    if (cluster.actions.includes(key)) return [{ key, ...action, disabledReason: offline }]
    const disabledReason = onlyWhenAllowed.has(key) ? undefined : cluster.refusals[key]
    return disabledReason ? [{ key, ...action, disabledReason }] : []
  })
  const pay: Action[] = toPay
    ? [
        {
          key: 'pay',
          label: overdue
            ? t('action.payAndStart')
            : t('action.pay', { amount: formatMoney(toPay.amount, toPay.currency, locale) }),
          icon: IconCreditCard,
          place: 'main',
          primary: true,
          disabledReason: offline,
          onSelect: () => void navigate({ to: '/payment/$id', params: { id: toPay.invoiceId } }),
        },
      ]
    : []
  return {
    actions: [...pay, ...explained.filter(({ key }) => cluster.actions.some((allowed) => allowed === key))],
    explained: [...pay, ...openFirst(explained)],
    failure: start.error ?? retry.error ?? keep.error,
    dismissFailure: () => {
      start.reset()
      retry.reset()
      keep.reset()
    },
  }
}
