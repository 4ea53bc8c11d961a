/**
 * The operator's area (issue 33): who has a staff role, what they approve in their wallet, and what they read and do
 * there.
 */
import type { Route } from '../../http/route.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { staffChangeAct } from './acts/staff-change.ts'
import type { ApprovalDeps } from './approvals/approval-service.ts'
import { approvalsPrune } from './jobs/approvals-prune.ts'
import { approvalRoutes } from './routes/approval-routes.ts'
import { memberRoutes } from './routes/member-routes.ts'

export interface Staff {
  routes: Route[]
  jobs: Job[]
}

export function createStaff(deps: ApprovalDeps): Staff {
  const acts = [staffChangeAct]
  return { routes: [...memberRoutes(deps), ...approvalRoutes(deps, acts)], jobs: [approvalsPrune(deps)] }
}
