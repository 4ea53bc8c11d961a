import { type Operation, operationCancel, type Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCallMutation } from '../../data/use-call-mutation.ts'
import { useOfflineReason } from '../../kit/browser/use-offline-reason.ts'
import { ConfirmDialog } from '../../kit/dialog/ConfirmDialog.tsx'
import { useText } from '../../kit/i18n/text.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import classes from '../page/ClusterPage.module.css'

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
  const change = useCallMutation(operationCancel)
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
        onConfirm={() => change.mutate({ operationId }, { onSuccess: () => setAsking(false) })}
      />
    </>
  )
}
