import { clusterRestart, clusterStop } from '@atoll/contract/clusters'
import { useChange } from '../../api/use-change.ts'
import { useClusterMutation } from '../../api/use-cluster-mutation.ts'
import { useText } from '../../i18n/text.ts'
import { useInstanceName } from '../cluster/use-instance-name.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import type { AnyInstance } from './cluster-dialogs-context.ts'
import type { ClusterDialogProps } from './dialog-props.ts'

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
