import type { Resource } from '@atoll/contract'
import { createContext, useContext } from 'react'

export type ClusterDialogKind = 'stop' | 'restart' | 'destroy' | 'activate'

export interface ClusterDialogs {
  open: (kind: ClusterDialogKind, cluster: Resource) => void
}

export const ClusterDialogsContext = createContext<ClusterDialogs | undefined>(undefined)

/** Opens the dialogs about a cluster; they belong to the shell, so that they outlive the card that opened them. */
export function useClusterDialogs(): ClusterDialogs {
  const dialogs = useContext(ClusterDialogsContext)
  if (!dialogs) throw new Error('useClusterDialogs outside of ClusterDialogsProvider')
  return dialogs
}
