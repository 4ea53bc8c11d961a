import { destroyWorker } from '@atoll/contract/clusters'
import { useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import classes from '../../kit/dialog/Dialog.module.css'
import type { InstanceDialogProps } from '../../kit/dialog/dialog-props.ts'
import { useText } from '../../kit/i18n/text.ts'
import { useInstanceName } from '../card/use-instance-name.ts'
import { ChoiceCard } from '../offers/ChoiceCard.tsx'

/** Destroys one worker: after it has finished what it began, or at once. */
export function DestroyWorkerDialog({ cluster, instance, opened, onClose }: InstanceDialogProps) {
  const t = useText()
  const { clusterId } = cluster
  const [drain, setDrain] = useState(true)
  const change = useCallMutation(destroyWorker)
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
      onConfirm={() => change.mutate({ clusterId, instanceId: instance.instanceId, drain }, { onSuccess: onClose })}
    >
      <div className={classes.choices} role="radiogroup" aria-label={t('dialog.drainLabel')}>
        <ChoiceCard group="drain" value="drain" mark="left" chosen={drain} onChoose={() => setDrain(true)}>
          <span className={classes.choice}>{t('dialog.drain')}</span>
          <span className={classes.choiceHelp}>{t('dialog.drainHelp')}</span>
        </ChoiceCard>
        <ChoiceCard group="drain" value="now" mark="left" chosen={!drain} onChoose={() => setDrain(false)}>
          <span className={classes.choice}>{t('dialog.drainNot')}</span>
          <span className={classes.choiceHelp}>{t('dialog.drainNotHelp')}</span>
        </ChoiceCard>
      </div>
    </ConfirmDialog>
  )
}
