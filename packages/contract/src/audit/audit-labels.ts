/** Names of the audit log's actions, objects and facts: the words of every module, joined. */
import { accountsAuditWords } from '../accounts/audit-words.ts'
import { backupsAuditWords } from '../backups/audit-words.ts'
import { billingAuditWords } from '../billing/audit-words.ts'
import { clustersAuditWords } from '../clusters/audit-words.ts'
import { domainsAuditWords } from '../domains/audit-words.ts'
import { observeAuditWords } from '../observe/audit-words.ts'
import { paymentsAuditWords } from '../payments/audit-words.ts'
import { staffAuditWords } from '../staff/audit-words.ts'
import { systemAuditWords } from '../staff/system-audit-words.ts'
import type { Words } from '../wire/words.ts'
import type { AuditKind } from './audit.ts'
import type { AuditWords } from './audit-words.ts'
import { logAuditWords } from './log-audit-words.ts'

const modules = [
  clustersAuditWords,
  accountsAuditWords,
  backupsAuditWords,
  billingAuditWords,
  observeAuditWords,
  paymentsAuditWords,
  domainsAuditWords,
  logAuditWords,
  staffAuditWords,
  systemAuditWords,
] as const
type Sentences = (typeof modules)[number]['sentences']

/** An action on an object: `kind.verb`, such as `cluster.start`. */
export type AuditAction = Sentences extends infer Each ? (Each extends unknown ? keyof Each : never) : never

export const auditKindLabels: Record<AuditKind, Words> = {
  ...clustersAuditWords.kinds,
  ...accountsAuditWords.kinds,
  ...backupsAuditWords.kinds,
  ...billingAuditWords.kinds,
  ...observeAuditWords.kinds,
  ...paymentsAuditWords.kinds,
  ...domainsAuditWords.kinds,
  ...logAuditWords.kinds,
  ...staffAuditWords.kinds,
  ...systemAuditWords.kinds,
}

export const auditSentences: Record<AuditAction, Words> = joined('sentences')
export const auditActions = Object.keys(auditSentences) as [AuditAction, ...AuditAction[]] // it has no other keys

/** In the order in which facts are shown. */
export const auditFactLabels: AuditWords['facts'] = joined('facts')

function joined(part: 'sentences' | 'facts') {
  return Object.assign({}, ...modules.map((words) => words[part]))
}

/** The words of `value` under `key`; undefined: it is shown as it is. */
export function auditFactValue(key: string, value: string): Words | undefined {
  return modules.map(({ values }: AuditWords) => values[key]?.[value]).find((found) => found !== undefined)
}
