import type { Resource } from '@atoll/contract/clusters'

/** What every dialog about a cluster is given. */
export interface ClusterDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
}
