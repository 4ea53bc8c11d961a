import { lazy } from 'react'
import { ActivateDialog } from './ActivateDialog.tsx'
import { AddMachineDialog } from './AddMachineDialog.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import type { ClusterDialogKind } from './cluster-dialogs-context.ts'
import { DestroyDialog } from './DestroyDialog.tsx'
import type { ClusterDialogProps } from './dialog-props.ts'
import { InterruptDialog } from './InterruptDialog.tsx'
import { RepairDialog } from './RepairDialog.tsx'

/** The largest of them, and seldom needed. */
const AddWorkerDialog = lazy(() =>
  import('./AddWorkerDialog.tsx').then((module) => ({ default: module.AddWorkerDialog })),
)

/** The dialog of `kind` about `cluster`. */
export function ClusterDialog({ kind, ...props }: ClusterDialogProps & { kind: ClusterDialogKind }) {
  switch (kind) {
    case 'activate':
      return <ActivateDialog {...props} />
    case 'destroy':
      return <DestroyDialog {...props} />
    case 'stop':
    case 'restart':
      return <InterruptDialog kind={kind} {...props} />
    case 'cancel':
      return <CancelDialog {...props} />
    case 'repair':
      return <RepairDialog {...props} />
    case 'addWorker':
      return <AddWorkerDialog {...props} />
    case 'addMachine':
      return <AddMachineDialog {...props} />
  }
}
