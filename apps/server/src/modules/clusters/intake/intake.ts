/**
 * What agents need of clusters: who they are, whether a host may come, and where to say what changed. It calls neither
 * agents nor providers, so it is made before both, and clusters after them.
 */
import type { InstanceOwner } from '../../agents/index.ts'
import type { IntakeDeps } from '../cluster-deps.ts'
import { applyAgentChange, applyTaskChange } from '../events/agent-changes.ts'
import { createFigurePublisher, type PublishFigures } from '../instances/live-figures.ts'
import { admitWorker } from './admit-worker.ts'
import { describeInstance } from './describe-instance.ts'
import { replaceMaster } from './replace-master.ts'

export interface Intake extends InstanceOwner {
  onMeasured: PublishFigures
}

export function createIntake(deps: IntakeDeps): Intake {
  return {
    onAgentChange: applyAgentChange,
    onTaskChange: applyTaskChange,
    onMeasured: createFigurePublisher(deps),
    describeInstance: (db, instanceId) => describeInstance(deps, db, instanceId),
    admitWorker: (trx, clusterId, makeAgent) => admitWorker(deps, trx, clusterId, makeAgent),
    replaceMaster: (trx, asked, agents) => replaceMaster(deps, trx, asked, agents),
  }
}
