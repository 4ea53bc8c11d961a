/** Questions before a cluster, or one instance of it, is interrupted, given up or destroyed. */
import {
  type ClusterStatus,
  cancelInstance,
  clusterGiveUp,
  clusterRepair,
  clusterRestart,
  clusterStop,
  destroyMaster,
  destroyWorker,
  type Resource,
} from '@atoll/contract/clusters'
import { countRows } from '@atoll/contract/wire'
import { createElement, Fragment } from 'react'
import { confirm, type QuoteProps } from '../../kit/confirm/confirm.ts'
import { text as t } from '../../locales/text.ts'
import { currentAccount } from '../../session/account-store.ts'
import { addressHost } from '../card/address-host.ts'
import { instanceName } from '../card/instance-name.ts'
import { askToCancelOrder } from '../order/cancel-question.ts'
import type { AnyInstance, ClusterQuestion } from './cluster-dialogs-context.ts'
import { DrainField } from './DrainField.tsx'
import { KeptBackup } from './KeptBackup.tsx'
import { RefundQuote } from './RefundQuote.tsx'
import { WipeField } from './WipeField.tsx'

export interface Subject {
  cluster: Resource
  /** Only this one; undefined: the cluster as a whole. */
  instance: AnyInstance | undefined
  /** Leaves the cluster's own page, which is about to be gone. */
  leavePage: () => void
}

export function askAbout(kind: ClusterQuestion, subject: Subject): void {
  const { cluster, instance } = subject
  const name = instance
    ? t('cluster.instanceOf', { name: instanceName(instance, t), cluster: cluster.name })
    : cluster.name
  questions[kind](subject, name)
}

const questions: Record<ClusterQuestion, (subject: Subject, name: string) => void> = {
  stop({ cluster: { clusterId }, instance }, name) {
    confirm({
      title: t('dialog.stopTitle', { name }),
      lost: [t(instance?.role === 'worker' ? 'dialog.stopWorkerText' : 'dialog.stopText')],
      keep: t('dialog.stopKeep'),
      act: t('dialog.stopDo'),
      run: { call: clusterStop, body: { clusterId, ...idOf(instance) } },
    })
  },
  restart({ cluster: { clusterId }, instance }, name) {
    confirm({
      title: t('dialog.restartTitle', { name }),
      lost: [t(instance?.role === 'worker' ? 'dialog.restartWorkerText' : 'dialog.restartText')],
      keep: t('dialog.restartKeep'),
      act: t('dialog.restartDo'),
      run: { call: clusterRestart, body: { clusterId, ...idOf(instance) } },
    })
  },
  repair({ cluster, instance }, name) {
    const { clusterId, instanceId } = cluster
    const isWorker = instance?.role === 'worker'
    confirm({
      title: t('dialog.repairTitle', { name }),
      lost: [t(isWorker ? 'dialog.repairWorkerText' : 'dialog.repairText')],
      ...(!isWorker && keptOf(cluster)),
      keep: t('dialog.repairKeep'),
      act: t('dialog.repairDo'),
      danger: true,
      run: { call: clusterRepair, body: { clusterId, instanceId: instance?.instanceId ?? instanceId } },
    })
  },
  // A worker, or by its master the whole cluster.
  cancel({ cluster, instance, leavePage }, name) {
    const isWorker = instance?.role === 'worker'
    confirm({
      title: t('dialog.cancelTitle', { name }),
      lost: [t(isWorker ? 'dialog.cancelWorkerText' : 'dialog.cancelText')],
      keep: t('dialog.cancelKeep'),
      act: t('dialog.cancelDo'),
      danger: true,
      run: {
        call: cancelInstance,
        body: { instanceId: isWorker ? instance.instanceId : cluster.instanceId },
        ...(!isWorker && { onSuccess: leavePage }),
      },
    })
  },
  cancelUnpaid: ({ cluster, leavePage }) => askToCancelOrder(cluster, leavePage),
  giveUp({ cluster: { clusterId, clusterType, url } }, name) {
    confirm({
      title: t('dialog.giveUpTitle', { name }),
      lost: [
        t('dialog.giveUpText'),
        ...(url ? [t('dialog.giveUpAddress', { address: addressHost(url) })] : []),
        t(clusterType === 'SelfHost' ? 'dialog.giveUpBack' : 'dialog.giveUpCharged'),
      ],
      keep: t('dialog.giveUpKeep'),
      act: t('dialog.giveUpDo'),
      danger: true,
      run: { call: clusterGiveUp, body: { clusterId } },
    })
  },
  destroyWorker({ cluster, instance }, name) {
    if (!instance) return
    const { clusterId, clusterType } = cluster
    confirm({
      title: t('dialog.destroyTitle', { name }),
      lost: [t(clusterType === 'SelfHost' ? 'dialog.destroyMachineText' : 'dialog.destroyWorkerText')],
      ...refundOf(cluster, instance),
      choice: { field: 'drain', initial: true, Field: DrainField },
      keep: t('dialog.destroyKeep'),
      act: t('dialog.destroyWorkerDo'),
      danger: true,
      run: { call: destroyWorker, body: { clusterId, instanceId: instance.instanceId }, again: changedRefund },
    })
  },
  destroy({ cluster, leavePage }, name) {
    const { clusterId, clusterType, workers, url } = cluster
    const isSelfHosted = clusterType === 'SelfHost'
    confirm({
      title: t('dialog.destroyTitle', { name }),
      lost: [
        t(isSelfHosted ? 'dialog.destroySelfHostText' : 'dialog.destroyText', { count: 1 + (countRows(workers) ?? 0) }),
        ...(url ? [t('dialog.destroyAddress', { address: addressHost(url) })] : []),
      ],
      ...keptAndRefundOf(cluster),
      typed: name,
      ...(isSelfHosted && { choice: { field: 'wipe', initial: false, Field: WipeField } }),
      keep: t('dialog.destroyKeep'),
      act: t('dialog.destroyDo'),
      danger: true,
      run: { call: destroyMaster, body: { clusterId, confirm: true }, onSuccess: leavePage, again: changedRefund },
    })
  },
}

/** The refund; none for free instances, and none for people who do not own the money. */
function refundOf(cluster: Resource, instance?: AnyInstance) {
  if (cluster.clusterType === 'SelfHost' || cluster.owner.userid !== currentAccount()?.userid) return {}
  return {
    Quote: (props: QuoteProps) => createElement(RefundQuote, { cluster, instanceId: instance?.instanceId, ...props }),
  }
}

/** Which backup is left of a cluster; nothing to whom it does not belong. */
function keptOf(cluster: Resource) {
  if (cluster.owner.userid !== currentAccount()?.userid) return {}
  return { Quote: () => createElement(KeptBackup, { cluster }) }
}

/** The same, and what is given back. */
function keptAndRefundOf(cluster: Resource) {
  if (cluster.owner.userid !== currentAccount()?.userid) return {}
  const { Quote } = refundOf(cluster)
  return {
    Quote: (props: QuoteProps) =>
      createElement(Fragment, null, createElement(KeptBackup, { cluster }), Quote && createElement(Quote, props)),
  }
}

/** The shown figure is outdated: nothing is destroyed until the new one was shown and confirmed. */
function changedRefund({ status }: { status: ClusterStatus }): string | undefined {
  return status === 'destroy_to_be_confirmed' ? t('dialog.refundChanged') : undefined
}

function idOf(instance: AnyInstance | undefined) {
  return instance && { instanceId: instance.instanceId }
}
