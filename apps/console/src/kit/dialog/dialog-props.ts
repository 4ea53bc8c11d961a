import type { Resource } from '@atoll/contract/clusters'

/** Props of every dialog about a cluster. */
export interface ClusterDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
}
