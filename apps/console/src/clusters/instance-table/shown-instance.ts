import type { Resource } from '@atoll/contract/clusters'
import type { AnyInstance } from '../actions/cluster-dialogs-context.ts'

/** One line of a table of instances. */
export interface ShownInstance {
  instance: AnyInstance
  cluster: Resource
  /** The page shows elsewhere what is wrong with it. */
  isShownElsewhere?: boolean
}

export function runs({ status }: AnyInstance): boolean {
  return status === 'running' || status === 'inactivated'
}

/** Its last measurement; undefined if it does not run or has not measured yet. */
export function measuredOf(instance: AnyInstance): AnyInstance['latest'] | undefined {
  return runs(instance) ? (instance.latest ?? undefined) : undefined
}
