/** Sentences of the audit log about alerts and about access to measurements, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

export const observeAuditWords = {
  kinds: { alertRule: words('Alert rules', '告警规则'), metricsToken: words('Metrics token', '指标令牌') },
  sentences: {
    'alertRule.change': words('Changed the alert {alert} of {name}', '更改了 {name} 的告警“{alert}”'),
    'alertRule.changeAll': words('Changed the alert {alert} of all clusters', '更改了所有集群的告警“{alert}”'),
    'metricsToken.make': words('Made a metrics token', '生成了指标令牌'),
    'metricsToken.revoke': words('Revoked the metrics token', '吊销了指标令牌'),
  },
  facts: {
    alert: words('Alert', '告警'),
    watched: words('Watched', '监视'),
    mailed: words('Mail', '邮件通知'),
    threshold: words('Fires at', '触发值'),
    clearBelow: words('Over below', '解除值'),
    forMinutes: words('For minutes', '持续分钟数'),
  },
  values: {
    alert: {
      disk: words('Disk', '磁盘'),
      memory: words('Memory', '内存'),
      offline: words('Offline', '离线'),
      workload: words('Workload failed', '工作负载出错'),
      backup: words('No completed backup', '没有完成的备份'),
      proof: words('Old backup proof', '备份校验过期'),
    },
    watched: { true: words('Watched', '监视'), false: words('Not watched', '不监视') },
    mailed: { true: words('Mailed', '发邮件'), false: words('Not mailed', '不发邮件') },
  },
} as const satisfies AuditWords
