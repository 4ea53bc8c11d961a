import { clusterRetry, clusterStart, clusterTakeBack, destroyKeep } from '@atoll/contract/clusters'
import { IconArrowBackUp, IconCreditCard, IconPlayerPlay, IconRotate } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type CallMutationOptions, useCallMutation } from '../../data/use-call-mutation.ts'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import type { Action } from '../../kit/menu/action.ts'
import { useText } from '../../locales/text.ts'

type Options = Pick<CallMutationOptions<typeof clusterStart>, 'toast' | 'state'>

/** Actions without a question first, on a cluster or with `instanceId` on one of its instances. */
export function useDirectActions(target: { clusterId: string; instanceId?: string }, options: Options) {
  const t = useText()
  const navigate = useNavigate()
  const refused = useChangeRefusal()
  const start = useCallMutation(clusterStart, options)
  const retry = useCallMutation(clusterRetry, options)
  const keep = useCallMutation(destroyKeep, options)
  const takeBack = useCallMutation(clusterTakeBack, options)
  return {
    start: {
      label: t('action.start'),
      icon: IconPlayerPlay,
      busy: start.isPending,
      onSelect: () => start.mutate(target),
    },
    retry: {
      label: t('action.retry'),
      icon: IconRotate,
      place: 'main',
      busy: retry.isPending,
      onSelect: () => retry.mutate(target),
    },
    keep: {
      label: t('action.keep'),
      icon: IconArrowBackUp,
      place: 'main',
      busy: keep.isPending,
      onSelect: () => keep.mutate(target),
    },
    /** Of a cluster as a whole alone. */
    takeBack: {
      label: t('action.takeBack'),
      icon: IconArrowBackUp,
      place: 'main',
      busy: takeBack.isPending,
      onSelect: () => takeBack.mutate({ clusterId: target.clusterId }),
    },
    pay: (invoiceId: string, label: string): Action => ({
      key: 'pay',
      label,
      icon: IconCreditCard,
      place: 'main',
      disabledReason: refused,
      onSelect: () => void navigate({ to: '/payment/$id', params: { id: invoiceId } }),
    }),
    /** Why the last of them failed. */
    failure: start.error ?? retry.error ?? keep.error ?? takeBack.error,
    dismissFailure() {
      start.reset()
      retry.reset()
      keep.reset()
      takeBack.reset()
    },
  } as const
}
