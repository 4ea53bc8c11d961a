import { clusterRetry, clusterStart, type InstanceAction, type Resource } from '@atoll/contract/clusters'
import { IconPlayerPlay, IconRefresh, IconRotate, IconSquare, IconTool, IconTrash, IconX } from '@tabler/icons-react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { useText } from '../../kit/i18n/text.ts'
import { type Action, openFirst } from './action.ts'
import { type AnyInstance, type ClusterQuestion, useClusterDialogs } from './cluster-dialogs-context.ts'

/** Refusing these says no more than that nothing is wrong. */
const onlyWhenAllowed: ReadonlySet<InstanceAction> = new Set(['retry', 'repair', 'cancelInstance'])

/** What can be done to one instance now, and what cannot with the reason in words; as data. */
export function useInstanceActions(cluster: Resource, instance: AnyInstance): Action[] {
  const t = useText()
  const dialogs = useClusterDialogs()
  const { clusterId } = cluster
  const target = { clusterId, instanceId: instance.instanceId }
  const options = { toast: true, state: instance.status }
  const start = useCallMutation(clusterStart, options)
  const retry = useCallMutation(clusterRetry, options)
  const offline = useOfflineReason()
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
  return openFirst(actions)
}
