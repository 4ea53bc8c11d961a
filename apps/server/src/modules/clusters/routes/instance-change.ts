import { cancelInstance, createWorker, destroyWorker, operationCancel } from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { cancelOperation, cancelWaiting, removeWorker } from '../commands/machines/instance-removal.ts'
import { addWorkers } from '../commands/orders/worker-add.ts'

/** Calls that ask for a change of single instances; each returns before any of it is done. */
export function instanceChangeRoutes(deps: ClusterDeps): Route[] {
  return [
    implement(createWorker, (body, { account }) => addWorkers(deps, account, body)),
    implement(destroyWorker, (body, { account }) => removeWorker(deps, account, body)),
    implement(cancelInstance, (body, { account }) => cancelWaiting(deps, account, body)),
    implement(operationCancel, (body, { account }) => cancelOperation(deps, account, body)),
  ]
}
