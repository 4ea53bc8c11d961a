import { cancelInstance } from '@atoll/contract/clusters'
import { useMatchRoute, useNavigate } from '@tanstack/react-router'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import type { AnyInstance } from './cluster-dialogs-context.ts'

/** Gives up what still waits for resources: a worker, or by its master the whole cluster. */
export function CancelDialog({ cluster, instance, opened, onClose }: ClusterDialogProps & { instance?: AnyInstance }) {
  const t = useText()
  const instanceName = useInstanceName()
  const navigate = useNavigate()
  const match = useMatchRoute()
  const { clusterId } = cluster
  const worker = instance?.role === 'worker' ? instance : undefined
  const change = useCallMutation(cancelInstance)
  const name = worker ? t('instances.ofCluster', { name: instanceName(worker), cluster: cluster.name }) : cluster.name
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('dialog.cancelTitle', { name })}
      text={t(worker ? 'dialog.cancelWorkerText' : 'dialog.cancelText')}
      keep={t('dialog.cancelKeep')}
      confirm={t('dialog.cancelDo')}
      danger
      change={change}
      onConfirm={() =>
        change.mutate(
          { instanceId: worker?.instanceId ?? cluster.instanceId },
          {
            onSuccess: () => {
              onClose()
              // The cluster's own page is about to be gone.
              if (!worker && match({ to: '/cluster/$clusterId', params: { clusterId } })) void navigate({ to: '/' })
            },
          },
        )
      }
    />
  )
}
