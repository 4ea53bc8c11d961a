/**
 * The part of clusters that agents need: which instance they belong to, whether a host may join, and where to report
 * changes. It calls neither agents nor providers, so it is created before both, and clusters after them.
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
