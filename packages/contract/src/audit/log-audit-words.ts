/** Sentences of the audit log about itself, in both languages. */
import { words } from '../wire/words.ts'
import type { AuditWords } from './audit-words.ts'

export const logAuditWords = {
  kinds: { log: words('Audit log', '审计日志') },
  sentences: {
    'log.convert': words(
      'Set what the log says of people apart, so that it can be erased',
      '已将日志中的个人信息分开保存，以便抹除',
    ),
  },
  facts: {},
  values: {},
} as const satisfies AuditWords
