import { destroyWorker } from '@atoll/contract'
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-change.ts'
import { useText } from '../../i18n/text.ts'
import { useInstanceName } from '../cluster/use-instance-name.ts'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import classes from './Dialog.module.css'
import type { InstanceDialogProps } from './InstanceDialog.tsx'

/** Destroys one worker: after it has finished what it began, or at once. */
export function DestroyWorkerDialog({ cluster, instance, opened, onClose }: InstanceDialogProps) {
  const t = useText()
  const { clusterId } = cluster
  const [drain, setDrain] = useState(true)
  const change = useChange(destroyWorker, { clusterId, instanceId: instance.instanceId }, clusterId)
  const name = t('instances.ofCluster', { name: useInstanceName()(instance), cluster: cluster.name })
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('dialog.destroyTitle', { name })}
      text={t(cluster.clusterType === 'SelfHost' ? 'dialog.destroyMachineText' : 'dialog.destroyWorkerText')}
      keep={t('dialog.destroyKeep')}
      confirm={t('dialog.destroyWorkerDo')}
      danger
      change={change}
      onConfirm={() => change.mutate({ drain }, { onSuccess: onClose })}
    >
      <Radio.Group
        className={classes.choices ?? ''}
        aria-label={t('dialog.drainLabel')}
        value={drain ? 'drain' : 'now'}
        onChange={(value) => setDrain(value === 'drain')}
      >
        <Radio value="drain" label={t('dialog.drain')} description={t('dialog.drainHelp')} />
        <Radio value="now" label={t('dialog.drainNot')} description={t('dialog.drainNotHelp')} />
      </Radio.Group>
    </ConfirmDialog>
  )
}
