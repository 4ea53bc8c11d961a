/** The words of the audit log for acts of staff on the deployment itself, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const systemAuditWords = {
  kinds: { system: words('System', '系统') },
  sentences: {
    'system.retryJob': words('Had a job tried again[: {job}]', '重试了任务[：{job}]'),
    'system.discardJob': words('Discarded a job[ ({job})][: {reason}]', '丢弃了任务[（{job}）][：{reason}]'),
    'system.resendMail': words('Sent a mail again[: {mail}]', '重新发送了邮件[：{mail}]'),
    'system.applyCatalog': words('Applied the catalogue', '应用了目录'),
    'system.openOrders': words('Had {place} take new orders', '让 {place} 接受新订单'),
    'system.closeOrders': words('Had {place} take no new orders', '让 {place} 停止接受新订单'),
    'system.backUp': words('Had the deployment backed up', '备份了本部署'),
  },
  facts: {
    place: words('Place', '位置'),
    job: words('Job', '任务'),
    mail: words('Mail', '邮件'),
  },
  values: {},
} as const satisfies AuditWords
