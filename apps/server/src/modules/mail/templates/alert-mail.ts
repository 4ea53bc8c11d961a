import { z } from 'zod'
import { defineMail } from '../mail-kind.ts'

const Params = z.object({
  account: z.string(),
  cluster: z.string(),
  /** `master`, `worker-1`, …: the same in every language. */
  instance: z.string(),
  rule: z.enum(['disk', 'memory', 'offline']),
  event: z.enum(['fired', 'cleared']),
  percent: z.int(),
  /** How long it held before it fired. */
  minutes: z.int(),
})
type Alert = z.output<typeof Params>

interface Words {
  heading: string
  lines: string[]
}

const english: Record<Alert['rule'], Record<Alert['event'], (alert: Alert) => Words>> = {
  disk: {
    fired: ({ cluster, instance, percent, minutes }) => ({
      heading: `The disk of ${cluster} is nearly full`,
      lines: [
        `For ${minutes} minutes, at least 90 % of the disk of ${instance} has been in use; now it is ${percent} %.`,
        'Once it is full, nothing more can be saved. Delete files that you no longer need.',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `The disk of ${cluster} has room again`,
      lines: [`${percent} % of the disk of ${instance} is in use now. There is nothing left to do.`],
    }),
  },
  memory: {
    fired: ({ cluster, instance, percent, minutes }) => ({
      heading: `The memory of ${cluster} is nearly full`,
      lines: [
        `For ${minutes} minutes, at least 90 % of the memory of ${instance} has been in use; now it is ${percent} %.`,
        'It may become slow, or programs on it may stop. Restarting it in the console often helps.',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `The memory of ${cluster} has room again`,
      lines: [`${percent} % of the memory of ${instance} is in use now. There is nothing left to do.`],
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
      lines: [`We hear from ${instance} again. There is nothing left to do.`],
    }),
  },
}

const chinese: typeof english = {
  disk: {
    fired: ({ cluster, instance, percent, minutes }) => ({
      heading: `${cluster} 的磁盘快满了`,
      lines: [
        `${instance} 的磁盘使用率已连续 ${minutes} 分钟不低于 90%，目前为 ${percent}%。`,
        '磁盘写满后将无法再保存任何内容。请删除不再需要的文件。',
      ],
    }),
    cleared: ({ cluster, instance, percent }) => ({
      heading: `${cluster} 的磁盘空间已恢复`,
      lines: [`${instance} 的磁盘使用率目前为 ${percent}%，无需再处理。`],
    }),
  },
  memory: {
    fired: ({ cluster, instance, percent, minutes }) => ({
      heading: `${cluster} 的内存快满了`,
      lines: [
        `${instance} 的内存使用率已连续 ${minutes} 分钟不低于 90%，目前为 ${percent}%。`,
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
}

/** That a rule about an instance fired, or that what was told is over. */
export const alertMail = defineMail({
  kind: 'alert',
  params: Params,
  compose: {
    'en-US': (alert) => ({
      ...bodyOf(english[alert.rule][alert.event](alert)),
      reason: `Sent because this address is linked to ${alert.account}. We tell of one thing at most once an hour.`,
    }),
    'zh-CN': (alert) => ({
      ...bodyOf(chinese[alert.rule][alert.event](alert)),
      reason: `此邮箱绑定在账号 ${alert.account} 上，因此发送本邮件。同一件事每小时最多通知一次。`,
    }),
  },
})

function bodyOf({ heading, lines }: Words) {
  return { subject: heading, heading, preview: lines[0] ?? '', before: lines, after: [] }
}
