/** What the audit log's actions, kinds of objects and facts are called: the words of every module, joined. */
import { accountsAuditWords } from '../accounts/audit-words.ts'
import { backupsAuditWords } from '../backups/audit-words.ts'
import { billingAuditWords } from '../billing/audit-words.ts'
import { clustersAuditWords } from '../clusters/audit-words.ts'
import { domainsAuditWords } from '../domains/audit-words.ts'
import { observeAuditWords } from '../observe/audit-words.ts'
import { paymentsAuditWords } from '../payments/audit-words.ts'
import type { AuditAction, AuditKind } from './audit.ts'
import type { AuditWords, Words } from './audit-words.ts'

const modules: readonly AuditWords<string, string>[] = [
  clustersAuditWords,
  accountsAuditWords,
  backupsAuditWords,
  billingAuditWords,
  observeAuditWords,
  paymentsAuditWords,
  domainsAuditWords,
]

export const auditKindLabels: Record<AuditKind, Words> = {
  ...clustersAuditWords.kinds,
  ...accountsAuditWords.kinds,
  ...backupsAuditWords.kinds,
  ...billingAuditWords.kinds,
  ...observeAuditWords.kinds,
  ...paymentsAuditWords.kinds,
  ...domainsAuditWords.kinds,
}

export const auditSentences: Record<AuditAction, Words> = {
  ...clustersAuditWords.sentences,
  ...accountsAuditWords.sentences,
  ...backupsAuditWords.sentences,
  ...billingAuditWords.sentences,
  ...observeAuditWords.sentences,
  ...paymentsAuditWords.sentences,
  ...domainsAuditWords.sentences,
}

/** In the order in which facts are shown. */
export const auditFactLabels: AuditWords<string, string>['facts'] = {
  ...clustersAuditWords.facts,
  ...accountsAuditWords.facts,
  ...backupsAuditWords.facts,
  ...billingAuditWords.facts,
  ...observeAuditWords.facts,
  ...paymentsAuditWords.facts,
  ...domainsAuditWords.facts,
}

/** The words of `value` under `key`; undefined: it is shown as it is. */
export function auditFactValue(key: string, value: string): Words | undefined {
  return modules.map(({ values }) => values[key]?.[value]).find((found) => found !== undefined)
}
