import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** Staff gave up an operation of a cluster. */
export const staffMail = defineMail({
  kind: 'staff',
  params: z.object({
    event: z.literal('gaveUp'),
    cluster: z.string(),
    clusterId: z.string(),
    /** Written by staff. */
    said: z.string(),
    /** Whether lost time is given back. */
    givesBack: z.boolean(),
  }),
  compose: {
    'en-US': ({ cluster, clusterId, said, givesBack }) => ({
      subject: `${cluster} is Errored`,
      preview: said,
      heading: `${cluster} is Errored`,
      before: ['We ended an operation of this cluster that could not finish. Its files and backups are kept.', said],
      action: { label: 'Open the cluster', path: `/cluster/${clusterId}` },
      after: [
        `You can retry or repair it.${givesBack ? ' The time in which you could not use it goes back to your balance.' : ''}`,
      ],
      reason: 'Sent because this cluster is yours.',
    }),
    'zh-CN': ({ cluster, clusterId, said, givesBack }) => ({
      subject: `${cluster} 出错`,
      preview: said,
      heading: `${cluster} 出错`,
      before: ['我们结束了此集群一个无法完成的操作，文件和备份均已保留。', said],
      action: { label: '打开集群', path: `/cluster/${clusterId}` },
      after: [`你可以重试或修复。${givesBack ? '无法使用期间的费用将退回余额。' : ''}`],
      reason: '这是你的集群，因此发送本邮件。',
    }),
  },
})
