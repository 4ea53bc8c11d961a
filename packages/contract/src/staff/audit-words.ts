/** What the audit log says of what staff did with a customer, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const staffAuditWords = {
  kinds: { support: words('Support', '客服') },
  sentences: {
    'support.look': words('Looked at the account[: {reason}]', '查看了账号[：{reason}]'),
  },
  facts: { reason: words('Reason', '原因') },
  values: {},
} as const satisfies AuditWords
