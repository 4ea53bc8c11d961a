import { type ClusterAction, clusterRetry, clusterStart, type Resource } from '@atoll/contract'
import { IconBolt, IconPlayerPlay, IconRefresh, IconRotate, IconSquare, IconTrash } from '@tabler/icons-react'
import { useClusterMutation } from '../../api/use-cluster-mutation.ts'
import { useText } from '../../i18n/text.ts'
import type { Action } from './action.ts'
import { useClusterDialogs } from './cluster-dialogs-context.ts'

export interface ClusterActions {
  actions: Action[]
  /** Why the last action without a dialog failed. */
  failure: Error | null
  dismissFailure: () => void
}

/** Exactly what the status machine lets a person do with `cluster` now, as data. Actions of later versions are left out. */
export function useClusterActions(cluster: Resource): ClusterActions {
  const t = useText()
  const dialogs = useClusterDialogs()
  const start = useClusterMutation(clusterStart, cluster)
  const retry = useClusterMutation(clusterRetry, cluster)

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
      onSelect: () => retry.mutate({}),
    },
    start: {
      label: t('action.start'),
      icon: IconPlayerPlay,
      place: 'main',
      busy: start.isPending,
      onSelect: () => start.mutate({}),
    },
    restart: {
      label: t('action.restart'),
      icon: IconRefresh,
      place: 'side',
      onSelect: () => dialogs.open('restart', cluster),
    },
    stop: { label: t('action.stop'), icon: IconSquare, place: 'side', onSelect: () => dialogs.open('stop', cluster) },
    destroyMaster: {
      label: t('action.destroyMaster'),
      icon: IconTrash,
      place: 'menu',
      danger: true,
      onSelect: () => dialogs.open('destroy', cluster),
    },
  }
  const order = Object.keys(known) as ClusterAction[]
  const actions = order.flatMap((key) => {
    const action = known[key]
    return action && cluster.actions.includes(key) ? [{ key, ...action }] : []
  })
  return {
    actions,
    failure: start.error ?? retry.error,
    dismissFailure: () => {
      start.reset()
      retry.reset()
    },
  }
}
