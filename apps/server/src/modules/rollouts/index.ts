/** New versions of what runs in clusters, brought to them in waves (issue 32, point 10; board 37). */
import type { Route } from '../../http/route.ts'
import type { Trx } from '../../platform/db/index.ts'
import { defineTimedJob, type Job } from '../../platform/jobs/index.ts'
import type { AgentTask } from '../agents/index.ts'
import type { AnyAct } from '../staff/index.ts'
import { rolloutActs } from './acts.ts'
import { advanceRollouts, noteAnswer, type RolloutDeps, rolloutJob } from './rollouts.ts'
import { rolloutRoutes } from './routes/rollout-routes.ts'

export { actAsOperator, rolloutVerbs } from './acts.ts'
export { describeAgents } from './describe.ts'
export { findPausedRollouts } from './paused-rollouts.ts'
export { dayMs } from './rollouts.ts'

export interface Rollouts {
  routes: Route[]
  jobs: Job[]
  /** Those of staff that are approved. */
  acts: AnyAct[]
  /** In the transaction that records what an agent answered. */
  onTaskChange(trx: Trx, task: AgentTask): Promise<void>
}

export function createRollouts(deps: RolloutDeps): Rollouts {
  return {
    routes: rolloutRoutes(deps),
    jobs: [
      defineTimedJob({
        name: rolloutJob,
        lane: 'own',
        waits: 'careful',
        cron: '* * * * *',
        run: () => advanceRollouts(deps),
      }),
    ],
    acts: rolloutActs(deps),
    onTaskChange: (trx, task) => noteAnswer(deps, trx, task),
  }
}
