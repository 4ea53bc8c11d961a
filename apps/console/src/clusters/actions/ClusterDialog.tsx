import type { ClusterDialogProps } from '../../kit/dialog/dialog-props.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { ActivateDialog } from '../activation/ActivateDialog.tsx'
import { AddHostDialog } from './AddHostDialog.tsx'
import type { ClusterDialogKind } from './cluster-dialogs-context.ts'
import { RenameDialog } from './RenameDialog.tsx'

/** The largest of them, and seldom needed. */
const loadAddWorker = () => import('./AddWorkerDialog.tsx').then((module) => module.AddWorkerDialog)

const loadReplace = () => import('./ReplaceMachineDialog.tsx').then((module) => module.ReplaceMachineDialog)

/** The dialog of `kind` about `cluster`. */
export function ClusterDialog({ kind, ...props }: ClusterDialogProps & { kind: ClusterDialogKind }) {
  switch (kind) {
    case 'activate':
      return <ActivateDialog {...props} />
    case 'rename':
      return <RenameDialog {...props} />
    case 'addWorker':
      return <LazyPart load={loadAddWorker} wanted={props.opened} onFailure={props.onClose} props={props} />
    case 'replaceMachine':
      return <LazyPart load={loadReplace} wanted={props.opened} onFailure={props.onClose} props={props} />
    case 'addHost':
      return <AddHostDialog {...props} />
  }
}
