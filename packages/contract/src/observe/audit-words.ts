/** What the audit log says of who may read measurements, in both languages. */
import { type AuditWords, words } from '../audit/audit-words.ts'
import type { ObserveAuditAction, ObserveAuditKind } from './audit.ts'

export const observeAuditWords = {
  kinds: { metricsToken: words('Metrics token', '指标令牌') },
  sentences: {
    'metricsToken.make': words('Made a metrics token', '生成了指标令牌'),
    'metricsToken.revoke': words('Revoked the metrics token', '撤销了指标令牌'),
  },
  facts: {},
  values: {},
} as const satisfies AuditWords<ObserveAuditKind, ObserveAuditAction>
