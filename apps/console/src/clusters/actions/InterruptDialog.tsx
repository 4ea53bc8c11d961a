import { clusterRestart, clusterStop } from '@atoll/contract/clusters'
import { useChange } from '../../data/use-change.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { useClusterMutation } from '../use-cluster-mutation.ts'
import type { AnyInstance } from './cluster-dialogs-context.ts'

interface InterruptDialogProps extends ClusterDialogProps {
  kind: 'stop' | 'restart'
  /** Only this one; undefined: the cluster as a whole. */
  instance?: AnyInstance
}

/** Asks before a cluster, or one instance of it, is interrupted. Nothing is lost, so nothing has to be typed. */
export function InterruptDialog({ kind, instance, ...props }: InterruptDialogProps) {
  return instance ? (
    <InterruptInstance kind={kind} instance={instance} {...props} />
  ) : (
    <InterruptCluster kind={kind} {...props} />
  )
}

const calls = { stop: clusterStop, restart: clusterRestart }

function InterruptCluster({ kind, cluster, opened, onClose }: ClusterDialogProps & { kind: 'stop' | 'restart' }) {
  const t = useText()
  const change = useClusterMutation(calls[kind], cluster)
  const { name } = cluster
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t(kind === 'stop' ? 'dialog.stopTitle' : 'dialog.restartTitle', { name })}
      text={t(kind === 'stop' ? 'dialog.stopText' : 'dialog.restartText')}
      keep={t(kind === 'stop' ? 'dialog.stopKeep' : 'dialog.restartKeep')}
      confirm={t(kind === 'stop' ? 'dialog.stopDo' : 'dialog.restartDo', { name })}
      change={change}
      onConfirm={() => change.mutate({}, { onSuccess: onClose })}
    />
  )
}

function InterruptInstance({
  kind,
  cluster: { clusterId, name: clusterName },
  instance,
  opened,
  onClose,
}: ClusterDialogProps & { kind: 'stop' | 'restart'; instance: AnyInstance }) {
  const t = useText()
  const change = useChange(calls[kind], { clusterId, instanceId: instance.instanceId }, clusterId)
  const name = t('instances.ofCluster', { name: useInstanceName()(instance), cluster: clusterName })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t(kind === 'stop' ? 'dialog.stopTitle' : 'dialog.restartTitle', { name })}
      text={t(instance.role === 'master' ? interrupted[kind].master : interrupted[kind].worker)}
      keep={t(kind === 'stop' ? 'dialog.stopKeep' : 'dialog.restartKeep')}
      confirm={t(kind === 'stop' ? 'action.stop' : 'action.restart')}
      change={change}
      onConfirm={() => change.mutate({}, { onSuccess: onClose })}
    />
  )
}

const interrupted = {
  stop: { master: 'dialog.stopText', worker: 'dialog.stopWorkerText' },
  restart: { master: 'dialog.restartText', worker: 'dialog.restartWorkerText' },
} as const
