/**
 * The operator's area (issue 33): who has a staff role, what they approve in their wallet, and what they read and do
 * there.
 */
import type { FastifyPluginAsync } from 'fastify'
import type { Route } from '../../http/route.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { Ticker } from '../../platform/ticker.ts'
import type { AnyAct } from './acts/act.ts'
import { type ClusterActDeps, clusterAct, clusterActJob } from './acts/cluster-act.ts'
import { drainAct } from './acts/drain-act.ts'
import { type EraseActDeps, eraseActs } from './acts/erase-acts.ts'
import { releaseAct, suspendAct } from './acts/hold-acts.ts'
import { limitsAct } from './acts/limits-act.ts'
import { type MoneyActDeps, moneyActs } from './acts/money-acts.ts'
import { staffChangeAct } from './acts/staff-change.ts'
import type { ApprovalDeps } from './approvals/approval-service.ts'
import { lookAs, noteOpening } from './customers/customer-look.ts'
import { type HoldDeps, holdsEnforce } from './holds/holds-job.ts'
import { approvalsPrune } from './jobs/approvals-prune.ts'
import { type AttentionDeps, startAttentionWatch } from './overview/attention-look.ts'
import { systemItems } from './overview/system-items.ts'
import { approvalRoutes } from './routes/approval-routes.ts'
import { type BookFileDeps, bookFiles } from './routes/book-files.ts'
import { type ClusterRouteDeps, clusterRoutes } from './routes/cluster-routes.ts'
import { type CustomerActDeps, customerActRoutes } from './routes/customer-act-routes.ts'
import { type CustomerRouteDeps, customerRoutes, customersExport } from './routes/customer-routes.ts'
import { type DeploymentDeps, deploymentRoutes } from './routes/deployment-routes.ts'
import { memberRoutes } from './routes/member-routes.ts'
import { type MoneyRouteDeps, moneyRoutes } from './routes/money-routes.ts'
import { overviewRoutes } from './routes/overview-routes.ts'

export { type AnyAct, type ApprovedBy, defineAct } from './acts/act.ts'

export interface Staff {
  routes: Route[]
  plugins: FastifyPluginAsync[]
  jobs: Job[]
  /** The customer as whom a staff member looks at the console. */
  lookAs(staff: Caller, accountId: string): Promise<Caller>
  /** An Admin opened a cluster of `owner`. */
  onOpened(trx: Trx, opened: { caller: Caller; owner: string }): Promise<void>
  /** For an api while it runs: looks at what needs a person. */
  startAttention(): Ticker
}

export type StaffDeps = ApprovalDeps &
  AttentionDeps &
  ClusterRouteDeps &
  CustomerRouteDeps &
  EraseActDeps &
  CustomerActDeps &
  HoldDeps &
  ClusterActDeps &
  MoneyActDeps &
  MoneyRouteDeps &
  BookFileDeps &
  DeploymentDeps & {
    /** Acts of other modules. */
    acts: readonly AnyAct[]
  }

export function createStaff(given: StaffDeps): Staff {
  const deps = { ...given, attention: [...given.attention, ...systemItems(given)] }
  const acts = [
    ...deps.acts,
    staffChangeAct,
    suspendAct(deps),
    releaseAct(deps),
    ...eraseActs(deps),
    clusterAct(deps),
    limitsAct(deps),
    drainAct(deps),
    ...moneyActs(deps),
  ]
  return {
    routes: [
      ...memberRoutes(deps),
      ...overviewRoutes(deps),
      ...clusterRoutes(deps),
      ...customerRoutes(deps),
      ...customerActRoutes(deps),
      ...moneyRoutes(deps),
      ...deploymentRoutes(deps),
      ...approvalRoutes(deps, acts),
    ],
    plugins: [customersExport(deps), ...bookFiles(deps)],
    jobs: [approvalsPrune(deps), holdsEnforce(deps), clusterActJob(deps)],
    lookAs: (staff, accountId) => lookAs(deps, staff, accountId),
    onOpened: (trx, opened) => noteOpening(trx, deps, opened),
    startAttention: () => startAttentionWatch(deps),
  }
}
