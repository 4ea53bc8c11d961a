import type { InstanceRow, Resource, ResourceDetail } from '@atoll/contract/clusters'
import { createContext, useContext } from 'react'

export type ClusterDialogKind = 'rename' | 'activate' | 'addWorker' | 'addHost' | 'replaceMachine'

/** Questions before an act on a cluster or one instance. */
export type ClusterQuestion =
  | 'stop'
  | 'restart'
  | 'repair'
  | 'cancel'
  | 'cancelUnpaid'
  | 'giveUp'
  | 'destroy'
  | 'destroyWorker'

/** An instance, whether from a list of all or from the page of its cluster. */
export type AnyInstance = Pick<InstanceRow, keyof InstanceRow & keyof ResourceDetail['data'][number]>

export interface ClusterDialogs {
  open: (kind: ClusterDialogKind, cluster: Resource) => void
  ask: (kind: ClusterQuestion, cluster: Resource, instance?: AnyInstance) => void
}

export const ClusterDialogsContext = createContext<ClusterDialogs | undefined>(undefined)

/** Opens the dialogs about a cluster; they belong to the shell, so that they outlive the card that opened them. */
export function useClusterDialogs(): ClusterDialogs {
  const dialogs = useContext(ClusterDialogsContext)
  if (!dialogs) throw new Error('useClusterDialogs outside of ClusterDialogsProvider')
  return dialogs
}
