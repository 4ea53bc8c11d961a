import { cancelNoPaid } from '@atoll/contract/billing'
import {
  clusterChooseMachine,
  clusterGiveUp,
  clusterPasswordReset,
  clusterRename,
  clusterRepair,
  clusterReplaceMachine,
  clusterRestart,
  clusterRetry,
  clusterStart,
  clusterStop,
  clusterTakeBack,
  createCluster,
  destroyKeep,
  destroyMaster,
  selfHostCommand,
} from '@atoll/contract/clusters'
import { implement, type Route } from '../../../http/route.ts'
import type { ClusterDeps } from '../cluster-deps.ts'
import { type AskedAction, requestAction } from '../commands/cluster-actions.ts'
import { renameCluster } from '../commands/cluster-rename.ts'
import { keepInstance } from '../commands/destroy-confirm.ts'
import { repairInstance } from '../commands/instance-repair.ts'
import { chooseMachine } from '../commands/machines/machine-choose.ts'
import { giveUpMachine, takeMachineBack } from '../commands/machines/machine-give-up.ts'
import { issueReplacement } from '../commands/machines/machine-replace.ts'
import { orderCluster } from '../commands/orders/cluster-create.ts'
import { cancelUnpaidCluster } from '../commands/orders/order-cancel.ts'
import { orderSelfHost } from '../commands/orders/self-host-order.ts'
import { issueSelfHostCommand } from '../commands/orders/self-host-worker.ts'
import { resetPassword } from '../commands/password-reset.ts'

/** Calls that ask for a change: each writes the desired state, and returns before any of it is done. */
export function clusterChangeRoutes(deps: ClusterDeps): Route[] {
  function actionRoute(
    call: typeof clusterStart | typeof clusterStop | typeof clusterRestart | typeof clusterRetry | typeof destroyMaster,
    action: AskedAction,
  ): Route {
    return implement(call, (body, { account }) => requestAction(deps, account, { call: call.name, action, body }))
  }
  return [
    implement(createCluster, (order, { account }) =>
      order.clusterType === 'SelfHost' ? orderSelfHost(deps, account, order) : orderCluster(deps, account, order),
    ),
    implement(selfHostCommand, (body, { account }) => issueSelfHostCommand(deps, account, body)),
    implement(clusterReplaceMachine, (body, { account }) => issueReplacement(deps, account, body)),
    implement(clusterChooseMachine, (body, { account }) => chooseMachine(deps, account, body)),
    implement(clusterRename, (body, { account }) => renameCluster(deps, account, body)),
    actionRoute(clusterStart, 'start'),
    actionRoute(clusterStop, 'stop'),
    actionRoute(clusterRestart, 'restart'),
    actionRoute(clusterRetry, 'retry'),
    implement(clusterRepair, (body, { account }) => repairInstance(deps, account, body)),
    implement(clusterGiveUp, (body, { account }) => giveUpMachine(deps, account, body)),
    implement(clusterTakeBack, (body, { account }) => takeMachineBack(deps, account, body)),
    implement(clusterPasswordReset, (body, { account }) => resetPassword(deps, account, body)),
    actionRoute(destroyMaster, 'destroyMaster'),
    implement(destroyKeep, (body, { account }) => keepInstance(deps, account, body)),
    implement(cancelNoPaid, (body, { account }) => cancelUnpaidCluster(deps, account, body)),
  ]
}
