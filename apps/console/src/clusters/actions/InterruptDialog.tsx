import { clusterRestart, clusterStop } from '@atoll/contract/clusters'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import type { AnyInstance } from './cluster-dialogs-context.ts'

interface InterruptDialogProps extends ClusterDialogProps {
  kind: 'stop' | 'restart'
  /** Only this one; undefined: the cluster as a whole. */
  instance?: AnyInstance
}

const calls = { stop: clusterStop, restart: clusterRestart }

/** Asks before a cluster, or one instance of it, is interrupted. Nothing is lost, so nothing has to be typed. */
export function InterruptDialog({ kind, cluster, instance, opened, onClose }: InterruptDialogProps) {
  const t = useText()
  const instanceName = useInstanceName()
  const { clusterId } = cluster
  const change = useCallMutation(calls[kind])
  const name = instance
    ? t('instances.ofCluster', { name: instanceName(instance), cluster: cluster.name })
    : cluster.name
  const isStop = kind === 'stop'
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t(isStop ? 'dialog.stopTitle' : 'dialog.restartTitle', { name })}
      text={t(interrupted[kind][instance?.role ?? 'master'])}
      keep={t(isStop ? 'dialog.stopKeep' : 'dialog.restartKeep')}
      confirm={
        instance
          ? t(isStop ? 'action.stop' : 'action.restart')
          : t(isStop ? 'dialog.stopDo' : 'dialog.restartDo', { name })
      }
      change={change}
      onConfirm={() =>
        change.mutate({ clusterId, ...(instance && { instanceId: instance.instanceId }) }, { onSuccess: onClose })
      }
    />
  )
}

const interrupted = {
  stop: { master: 'dialog.stopText', worker: 'dialog.stopWorkerText' },
  restart: { master: 'dialog.restartText', worker: 'dialog.restartWorkerText' },
} as const
