import type { Resource } from '@atoll/contract/clusters'
import type { AnyInstance } from '../../clusters/actions/cluster-dialogs-context.ts'

/** What every dialog about a cluster is given. */
export interface ClusterDialogProps {
  cluster: Resource
  opened: boolean
  onClose: () => void
}

/** What every dialog about one instance of `cluster` is given. */
export interface InstanceDialogProps extends ClusterDialogProps {
  instance: AnyInstance
}
