import type { ClusterAction, Resource } from '@atoll/contract/clusters'
import {
  IconBolt,
  IconPlugOff,
  IconPlus,
  IconRefresh,
  IconReplace,
  IconSquare,
  IconTool,
  IconTrash,
  IconX,
} from '@tabler/icons-react'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import { formatMoney } from '../../kit/format/money.ts'
import { type Action, explainActions, openFirst } from '../../kit/menu/action.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { orderOf, overdueOf } from '../order/order-of.ts'
import { useClusterDialogs } from './cluster-dialogs-context.ts'
import { isObvious } from './obvious-refusals.ts'
import { useDirectActions } from './use-direct-actions.ts'

export interface ClusterActions {
  /** Actions that the status machine allows now; without a network each with that reason why not. */
  actions: Action[]
  /** The same, and what it refuses now with the reason in words. */
  explained: Action[]
  /** Of these what a menu beside the status has. */
  offered: Action[]
  /** Why the last action without a dialog failed. */
  failure: Error | null
  dismissFailure: () => void
}

/** Refusing these says no more than that nothing is wrong. */
const onlyWhenAllowed: ReadonlySet<ClusterAction> = new Set([
  'retry',
  'keep',
  'cancel',
  'cancelUnpaid',
  'repair',
  'giveUp',
  'takeBack',
  'replaceMachine',
])

/**
 * Exactly what the status machine lets a person do with `cluster` now, as data. Actions of later versions are left
 * out. `toast` is that of the calls of those without a dialog.
 */
export function useClusterActions(cluster: Resource, { toast = false } = {}): ClusterActions {
  const t = useText()
  const dialogs = useClusterDialogs()
  const { clusterId, status: state } = cluster
  const direct = useDirectActions({ clusterId }, { toast, state })
  const isSelfHosted = cluster.clusterType === 'SelfHost'
  const refused = useChangeRefusal()
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
    retry: direct.retry,
    repair: {
      label: t('action.repair'),
      icon: IconTool,
      place: 'main',
      onSelect: () => dialogs.ask('repair', cluster),
    },
    keep: direct.keep,
    takeBack: direct.takeBack,
    start: { ...direct.start, place: 'main' },
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
    replaceMachine: {
      label: t('action.replaceMachine'),
      icon: IconReplace,
      place: 'menu',
      onSelect: () => dialogs.open('replaceMachine', cluster),
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
    giveUp: {
      label: t('action.giveUp'),
      icon: IconPlugOff,
      place: 'menu',
      danger: true,
      onSelect: () => dialogs.ask('giveUp', cluster),
    },
    destroyMaster: {
      label: t('action.destroyMaster'),
      icon: IconTrash,
      place: 'menu',
      danger: true,
      onSelect: () => dialogs.ask('destroy', cluster),
    },
  }
  const explained = explainActions(known, cluster, onlyWhenAllowed, refused)
  const payWords = ({ amount, currency }: NonNullable<typeof toPay>) =>
    overdue ? t('action.payAndStart') : t('action.pay', { amount: formatMoney(amount, currency, locale) })
  const pay: Action[] = toPay ? [{ ...direct.pay(toPay.invoiceId, payWords(toPay)), primary: true }] : []
  const isAllowed = (key: string) => cluster.actions.some((allowed) => allowed === key)
  const helpful = explained.filter(
    ({ key }) =>
      // `key` is of `known`
      isAllowed(key) || !isObvious(key as ClusterAction, cluster, { isSelfHosted, osActive: cluster.osActive }),
  )
  return {
    actions: [...pay, ...explained.filter(({ key }) => isAllowed(key))],
    explained: [...pay, ...openFirst(explained)],
    offered: [...pay, ...openFirst(helpful)],
    failure: direct.failure,
    dismissFailure: direct.dismissFailure,
  }
}
