import { alertRuleNames } from '@atoll/contract/observe'
import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'
import type { MailFact } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const Params = z.object({
  account: z.string(),
  cluster: z.string(),
  /** `master`, `worker-1`, …: the same in every language. */
  instance: z.string(),
  rule: z.enum(alertRuleNames),
  event: z.enum(['fired', 'cleared']),
  /** In the unit of the rule: percent, intervals of a backup, or days. */
  percent: z.int(),
  /** At which it fires, in the same. Mails from before it could be chosen do not say. */
  threshold: z.int().default(90),
  /** The workload or backup that it is about. */
  subject: z.string().default(''),
  /** How long it held before it fired. */
  minutes: z.int(),
  /** The page of the cluster's alerts. Mails from before it was said have no button. */
  path: z.string().startsWith('/').optional(),
})
type Alert = z.output<typeof Params>

interface Words {
  heading: string
  lines: string[]
}

const english: Record<Alert['rule'], Record<Alert['event'], (alert: Alert) => Words>> = {
  disk: {
    fired: ({ cluster, instance, percent, threshold, minutes }) => ({
      heading: `The disk of ${cluster} is nearly full`,
      lines: [
        `For ${minutes} minutes, at least ${threshold} % of the disk of ${instance} has been in use; now it is ${percent} %.`,
        'Once it is full, nothing more can be saved. Delete files that you no longer need.',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `The disk of ${cluster} has room again`,
      lines: [`${percent} % of the disk of ${instance} is in use now. You do not need to do anything.`],
    }),
  },
  memory: {
    fired: ({ cluster, instance, percent, threshold, minutes }) => ({
      heading: `The memory of ${cluster} is nearly full`,
      lines: [
        `For ${minutes} minutes, at least ${threshold} % of the memory of ${instance} has been in use; now it is ${percent} %.`,
        'It may become slow, or programs on it may stop. Restarting it in the console often helps.',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `The memory of ${cluster} has room again`,
      lines: [`${percent} % of the memory of ${instance} is in use now. You do not need to do anything.`],
    }),
  },
  offline: {
    fired: ({ cluster, instance, minutes }) => ({
      heading: `${cluster} is offline`,
      lines: [
        `We have not heard from ${instance} for more than ${minutes} minutes, though it should be running.`,
        'Visitors may not reach it. Look at it in the console. If it is a machine of your own, see whether it is switched on and has a network.',
      ],
    }),
    cleared: ({ cluster, instance }) => ({
      heading: `${cluster} is back`,
      lines: [`We hear from ${instance} again. You do not need to do anything.`],
    }),
  },
  workload: {
    fired: ({ cluster, instance, subject, minutes }) => ({
      heading: `${subject} of ${cluster} has failed`,
      lines: [
        `For ${minutes} minutes, ${subject} on ${instance} has not been working.`,
        'Its page in the console shows why. Restarting the cluster often helps.',
      ],
    }),
    cleared: ({ cluster, instance, subject }) => ({
      heading: `${subject} of ${cluster} works again`,
      lines: [`Nothing on ${instance} is failing any more. You do not need to do anything.`],
    }),
  },
  backup: {
    fired: ({ cluster, subject, threshold }) => ({
      heading: `The backup ${subject} of ${cluster} is late`,
      lines: [
        `No run of ${subject} was completed for longer than ${threshold === 1 ? 'the time between two runs' : `${threshold} times the time between two runs`}.`,
        'Changes since then are not backed up. The page of the backup says why its last run failed.',
      ],
    }),
    cleared: ({ cluster, subject }) => ({
      heading: `The backups of ${cluster} are on time again`,
      lines: [`${subject} was late. All backups of ${cluster} are on time now. You do not need to do anything.`],
    }),
  },
  proof: {
    fired: ({ cluster, subject, percent }) => ({
      heading: `The backup ${subject} of ${cluster} has not been verified for ${percent} days`,
      lines: [
        `Not all data of ${subject} has been verified for ${percent} days. It is unknown whether it can be restored.`,
        'Its machine verifies it while it runs and is connected. You can also verify everything now on the page of the backup.',
      ],
    }),
    cleared: ({ cluster, subject }) => ({
      heading: `The backups of ${cluster} are verified again`,
      lines: [`All data of ${subject} has been verified. You do not need to do anything.`],
    }),
  },
}

const chinese: typeof english = {
  disk: {
    fired: ({ cluster, instance, percent, threshold, minutes }) => ({
      heading: `${cluster} 的磁盘快满了`,
      lines: [
        `${instance} 的磁盘使用率已连续 ${minutes} 分钟不低于 ${threshold}%，目前为 ${percent}%。`,
        '磁盘写满后将无法再保存任何内容。请删除不再需要的文件。',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `${cluster} 的磁盘空间已恢复`,
      lines: [`${instance} 的磁盘使用率目前为 ${percent}%，无需再处理。`],
    }),
  },
  memory: {
    fired: ({ cluster, instance, percent, threshold, minutes }) => ({
      heading: `${cluster} 的内存快满了`,
      lines: [
        `${instance} 的内存使用率已连续 ${minutes} 分钟不低于 ${threshold}%，目前为 ${percent}%。`,
        '它可能会变慢，上面的程序也可能停止运行。在控制台中重启它通常会有帮助。',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `${cluster} 的内存已恢复`,
      lines: [`${instance} 的内存使用率目前为 ${percent}%，无需再处理。`],
    }),
  },
  offline: {
    fired: ({ cluster, instance, minutes }) => ({
      heading: `${cluster} 已离线`,
      lines: [
        `${instance} 本应在运行，但我们已有超过 ${minutes} 分钟没有收到它的消息。`,
        '访问者可能无法打开它。请在控制台中查看；如果是你自己的机器，请检查它是否开机、网络是否正常。',
      ],
    }),
    cleared: ({ cluster, instance }) => ({
      heading: `${cluster} 已恢复在线`,
      lines: [`我们又能收到 ${instance} 的消息了，无需再处理。`],
    }),
  },
  workload: {
    fired: ({ cluster, instance, subject, minutes }) => ({
      heading: `${cluster} 的 ${subject} 出错了`,
      lines: [
        `${instance} 上的 ${subject} 已连续 ${minutes} 分钟无法正常工作。`,
        '具体原因请在控制台的集群页面查看；重启集群通常会有帮助。',
      ],
    }),
    cleared: ({ cluster, instance, subject }) => ({
      heading: `${cluster} 的 ${subject} 已恢复`,
      lines: [`${instance} 上已没有出错的工作负载，无需再处理。`],
    }),
  },
  backup: {
    fired: ({ cluster, subject, threshold }) => ({
      heading: `${cluster} 的备份“${subject}”已逾期`,
      lines: [
        `备份“${subject}”已有超过 ${threshold} 个备份周期没有成功完成。`,
        '此后的改动尚未备份。上次运行失败的原因请在该备份的页面查看。',
      ],
    }),
    cleared: ({ cluster, subject }) => ({
      heading: `${cluster} 的备份已恢复按时运行`,
      lines: [`备份“${subject}”此前逾期；现在 ${cluster} 的所有备份都按时完成，无需再处理。`],
    }),
  },
  proof: {
    fired: ({ cluster, subject, percent }) => ({
      heading: `${cluster} 的备份“${subject}”已有 ${percent} 天没有校验`,
      lines: [
        `备份“${subject}”中存储的内容已有 ${percent} 天没有全部校验过，无法确定它是否还能恢复。`,
        '机器在运行并保持连接时会自动校验；你也可以在该备份的页面立即全部校验一次。',
      ],
    }),
    cleared: ({ cluster, subject }) => ({
      heading: `${cluster} 的备份已重新校验`,
      lines: [`备份“${subject}”中存储的内容已全部校验，无需再处理。`],
    }),
  },
}

/** That a rule about an instance fired, or has cleared. */
export const alertMail = defineMail({
  kind: 'alert',
  params: Params,
  compose: {
    'en-US': (alert) => ({
      ...bodyOf(english[alert.rule][alert.event](alert), alert, 'Open the alerts'),
      facts: factsOf(alert, 'en-US'),
      reason: `Sent because this address is linked to ${alert.account}. We tell of one thing at most once an hour. Alert emails can be switched off in your profile.`,
    }),
    'zh-CN': (alert) => ({
      ...bodyOf(chinese[alert.rule][alert.event](alert), alert, '打开告警'),
      facts: factsOf(alert, 'zh-CN'),
      reason: `此邮箱绑定在账号 ${alert.account} 上，因此发送本邮件。同一件事每小时最多通知一次。可以在个人资料中关闭告警邮件。`,
    }),
  },
})

const factLabels = {
  'en-US': {
    cluster: 'Cluster',
    instance: 'Instance',
    workload: 'Workload',
    backup: 'Backup',
    now: 'Now',
    limit: 'Limit',
  },
  'zh-CN': { cluster: '集群', instance: '实例', workload: '工作负载', backup: '备份', now: '目前', limit: '阈值' },
} as const satisfies Record<Locale, object>

function factsOf({ rule, cluster, instance, subject, percent, threshold }: Alert, locale: Locale): MailFact[] {
  const labels = factLabels[locale]
  const isBackup = rule === 'backup' || rule === 'proof'
  const share = (value: number) => (locale === 'zh-CN' ? `${value}%` : `${value} %`)
  return [
    { label: labels.cluster, value: cluster },
    ...(isBackup ? [] : [{ label: labels.instance, value: instance }]),
    ...(subject === '' ? [] : [{ label: isBackup ? labels.backup : labels.workload, value: subject }]),
    ...(rule === 'disk' || rule === 'memory'
      ? [
          { label: labels.now, value: share(percent) },
          { label: labels.limit, value: share(threshold) },
        ]
      : []),
  ]
}

function bodyOf({ heading, lines }: Words, { path }: Alert, label: string) {
  const action = path === undefined ? {} : { action: { label, path } }
  return { subject: heading, heading, preview: lines[0] ?? '', before: lines, ...action, after: [] }
}
