import type { InstanceDialogProps } from '../../kit/dialog/dialog-props.ts'
import { CancelDialog } from './CancelDialog.tsx'
import type { InstanceDialogKind } from './cluster-dialogs-context.ts'
import { DestroyWorkerDialog } from './DestroyWorkerDialog.tsx'
import { InterruptDialog } from './InterruptDialog.tsx'
import { RepairDialog } from './RepairDialog.tsx'

/** The dialog of `kind` about one instance of `cluster`. */
export function InstanceDialog({ kind, ...props }: InstanceDialogProps & { kind: InstanceDialogKind }) {
  switch (kind) {
    case 'stopInstance':
      return <InterruptDialog kind="stop" {...props} />
    case 'restartInstance':
      return <InterruptDialog kind="restart" {...props} />
    case 'destroyWorker':
      return <DestroyWorkerDialog {...props} />
    case 'cancelInstance':
      return <CancelDialog {...props} />
    case 'repairInstance':
      return <RepairDialog {...props} />
  }
}
