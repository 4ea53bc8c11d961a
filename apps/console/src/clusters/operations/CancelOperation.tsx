import { type Operation, operationCancel, type Resource } from '@atoll/contract/clusters'
import { Button } from '@mantine/core'
import { useChangeRefusal } from '../../kit/browser/use-change-refusal.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useText } from '../../locales/text.ts'
import classes from '../frame/ClusterPage.module.css'

interface CancelOperationProps {
  cluster: Resource
  operation: Operation
  /** The operation's object. */
  name: string
}

/** Cancels a running operation, after asking. */
export function CancelOperation({ cluster, operation: { operationId, instanceId }, name }: CancelOperationProps) {
  const t = useText()
  const refused = useChangeRefusal()
  function ask() {
    const isWorker = instanceId && instanceId !== cluster.instanceId
    confirm({
      title: t('dialog.cancelTitle', { name }),
      lost: [t(isWorker ? 'dialog.cancelWorkerText' : 'dialog.cancelText')],
      keep: t('dialog.cancelKeep'),
      act: t('dialog.cancelDo'),
      danger: true,
      run: { call: operationCancel, body: { operationId } },
    })
  }
  return (
    <Button
      size="xs"
      variant="subtle"
      className={classes.cardAction ?? ''}
      {...refusedButton(refused)}
      {...(!refused && { onClick: ask })}
    >
      {t('action.cancel')}
    </Button>
  )
}
