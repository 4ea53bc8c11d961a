import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { ActivateDialog } from '../activation/ActivateDialog.tsx'
import { AddMachineDialog } from './AddMachineDialog.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import type { ClusterDialogKind } from './cluster-dialogs-context.ts'
import { DestroyDialog } from './DestroyDialog.tsx'
import { InterruptDialog } from './InterruptDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { RepairDialog } from './RepairDialog.tsx'

/** The largest of them, and seldom needed. */
const loadAddWorker = () => import('./AddWorkerDialog.tsx').then((module) => module.AddWorkerDialog)

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
    case 'rename':
      return <RenameDialog {...props} />
    case 'repair':
      return <RepairDialog {...props} />
    case 'addWorker':
      return <LazyPart load={loadAddWorker} wanted={props.opened} onFailure={props.onClose} props={props} />
    case 'addMachine':
      return <AddMachineDialog {...props} />
  }
}
