import type { Resource } from '@atoll/contract/clusters'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'

/** One line of a table of instances. */
export interface ShownInstance {
  instance: AnyInstance
  cluster: Resource
  /** What is wrong with it is told elsewhere on the page. */
  isTold?: boolean
}
