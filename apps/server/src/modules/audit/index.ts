/** The audit log: who did what to which object, from which session and address, before and after (ADR 0010). */
import type { FastifyPluginAsync } from 'fastify'
import type { Authenticate } from '../../http/request/authenticate-request.ts'
import type { Route } from '../../http/route.ts'
import type { Job } from '../../platform/jobs/index.ts'
import { auditSeal, type SealDeps } from './jobs/audit-seal.ts'
import { auditExportPlugin } from './routes/audit-export.ts'
import { auditPageRoute } from './routes/audit-page.ts'

export { auditKeyMove } from './audit-key-move.ts'
export { actionsOf, countAudited, isErased, lastActOf } from './audit-store.ts'
export { exportActivity } from './export-activity.ts'
export { type AuditEntry, type AuditSource, recordAudit, recordErasure } from './record-audit.ts'
export { type Verdict, verifyAudit } from './verify-audit.ts'

export interface Audit {
  routes: Route[]
  plugin: FastifyPluginAsync
  jobs: Job[]
}

export function createAudit(deps: SealDeps & { authenticate: Authenticate }): Audit {
  return { routes: [auditPageRoute(deps)], plugin: auditExportPlugin(deps), jobs: [auditSeal(deps)] }
}
