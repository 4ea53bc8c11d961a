import { type ClusterAction, clusterRetry, clusterStart, type Resource } from '@atoll/contract/clusters'
import {
  IconBolt,
  IconPlayerPlay,
  IconPlus,
  IconRefresh,
  IconRotate,
  IconSquare,
  IconTool,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { type CallMutationOptions, useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { useText } from '../../kit/i18n/text.ts'
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
const onlyWhenAllowed: ReadonlySet<ClusterAction> = new Set(['retry', 'cancel', 'repair'])

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
  const ownMachines = cluster.clusterType === 'SelfHost'
  const offline = useOfflineReason()

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
      label: t(ownMachines ? 'action.addMachine' : 'action.addWorker'),
      icon: IconPlus,
      place: 'menu',
      onSelect: () => dialogs.open(ownMachines ? 'addMachine' : 'addWorker', cluster),
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
  const order = Object.keys(known) as ClusterAction[]
  const explained = order.flatMap((key): Action[] => {
    const action = known[key]
    if (!action) return []
    if (cluster.actions.includes(key)) return [{ key, ...action, disabledReason: offline }]
    const disabledReason = onlyWhenAllowed.has(key) ? undefined : cluster.refusals[key]
    return disabledReason ? [{ key, ...action, disabledReason }] : []
  })
  return {
    actions: explained.filter(({ key }) => cluster.actions.some((allowed) => allowed === key)),
    explained: openFirst(explained),
    failure: start.error ?? retry.error,
    dismissFailure: () => {
      start.reset()
      retry.reset()
    },
  }
}
