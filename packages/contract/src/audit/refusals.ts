/** Refusals of calls to the audit log. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const auditRefusals = {
  exportTooLarge: {
    code: codes.tooLarge,
    'en-US': 'This would export {rows} records; at most {limit} at a time. Choose a shorter time.',
    'zh-CN': '这将导出 {rows} 条记录，每次最多 {limit} 条。请缩短时间范围。',
  },
} as const satisfies Refusals
