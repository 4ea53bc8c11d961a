import { type Operation, operationCancel, type Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/use-change.ts'
import { ConfirmDialog } from '../../components/actions/ConfirmDialog.tsx'
import { refusedButton } from '../../components/refused-button.ts'
import { useOfflineReason } from '../../components/use-offline-reason.ts'
import { useText } from '../../i18n/text.ts'
import classes from './ClusterPage.module.css'

interface CancelOperationProps {
  cluster: Resource
  operation: Operation
  /** What the operation is about. */
  name: string
}

/** Cancels a running operation, after asking. */
export function CancelOperation({ cluster, operation: { operationId, instanceId }, name }: CancelOperationProps) {
  const t = useText()
  const offline = useOfflineReason()
  const [asking, setAsking] = useState(false)
  const change = useChange(operationCancel, { operationId }, cluster.clusterId)
  function ask() {
    change.reset()
    setAsking(true)
  }
  return (
    <>
      <Button
        size="xs"
        variant="subtle"
        className={classes.cardAction ?? ''}
        {...refusedButton(offline)}
        {...(!offline && { onClick: ask })}
      >
        {t('action.cancel')}
      </Button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('dialog.cancelTitle', { name })}
        text={t(instanceId && instanceId !== cluster.instanceId ? 'dialog.cancelWorkerText' : 'dialog.cancelText')}
        keep={t('dialog.cancelKeep')}
        confirm={t('dialog.cancelDo')}
        danger
        change={change}
        onConfirm={() => change.mutate({}, { onSuccess: () => setAsking(false) })}
      />
    </>
  )
}
