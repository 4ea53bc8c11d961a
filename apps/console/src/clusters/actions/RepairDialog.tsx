import { clusterRepair } from '@atoll/contract/clusters'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import type { AnyInstance } from './cluster-dialogs-context.ts'

/** Makes an instance anew that the provider no longer has. What was on it stays lost, so it is asked for first. */
export function RepairDialog({ cluster, instance, opened, onClose }: ClusterDialogProps & { instance?: AnyInstance }) {
  const t = useText()
  const instanceName = useInstanceName()
  const instanceId = instance?.instanceId ?? cluster.instanceId
  const { clusterId } = cluster
  const change = useCallMutation(clusterRepair)
  const name = instance
    ? t('instances.ofCluster', { name: instanceName(instance), cluster: cluster.name })
    : cluster.name
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('dialog.repairTitle', { name })}
      text={t(instance?.role === 'worker' ? 'dialog.repairWorkerText' : 'dialog.repairText')}
      keep={t('dialog.repairKeep')}
      confirm={t('dialog.repairDo')}
      danger
      change={change}
      onConfirm={() => change.mutate({ clusterId, instanceId }, { onSuccess: onClose })}
    />
  )
}
