import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** An account, or a cluster of it, is suspended: since when, why, what is stopped, and how to answer (board 48). */
export const suspendedMail = defineMail({
  kind: 'suspended',
  params: z.object({
    account: z.string(),
    /** The one cluster; null: the account. */
    cluster: z.string().nullable(),
    scope: z.enum(['servers', 'visitors']),
    text: z.string(),
    /** As the reader's zone writes them; null: no answer is asked for until a time. */
    since: z.string(),
    answerBy: z.string().nullable(),
  }),
  compose: {
    'en-US': ({ account, cluster, scope, text, since, answerBy }) => ({
      subject: `${cluster ?? account} is suspended`,
      preview: text.slice(0, 120),
      heading: `${cluster ?? account} is suspended`,
      before: [
        scope === 'servers'
          ? 'It is stopped, files, backups and domains are kept, and you can answer us.'
          : 'It runs, but visitors are turned away, and you can answer us.',
      ],
      table: {
        rows: [
          { label: 'Since', value: since },
          { label: 'Reason', value: text },
          ...(scope === 'servers'
            ? [{ label: 'Stopped', value: `${cluster ?? 'Your clusters'}. No start until we have answered.` }]
            : []),
          ...(answerBy ? [{ label: 'Answer by', value: answerBy }] : []),
        ],
      },
      action: { label: 'Read and answer', path: '/' },
      after: [
        `We look at every answer, usually within one working day.${scope === 'servers' ? ' If it was our mistake, the days it stood still are given back.' : ''}`,
      ],
      reason: `Sent because ${account} was suspended.`,
    }),
    'zh-CN': ({ account, cluster, scope, text, since, answerBy }) => ({
      subject: `${cluster ?? account} 已被暂停`,
      preview: text.slice(0, 120),
      heading: `${cluster ?? account} 已被暂停`,
      before: [
        scope === 'servers'
          ? '它已停止，文件、备份和域名均保留，你可以申诉。'
          : '它仍在运行，但访客无法访问，你可以申诉。',
      ],
      table: {
        rows: [
          { label: '开始时间', value: since },
          { label: '原因', value: text },
          ...(scope === 'servers'
            ? [{ label: '已停止', value: `${cluster ?? '你的集群'}。在我们答复之前无法启动。` }]
            : []),
          ...(answerBy ? [{ label: '申诉期限', value: answerBy }] : []),
        ],
      },
      action: { label: '查看并申诉', path: '/' },
      after: [
        `每一份申诉我们都会处理，通常在一个工作日内。${scope === 'servers' ? '如果是我们的错误，停机的天数会退还。' : ''}`,
      ],
      reason: `${account} 已被暂停，因此发送本邮件。`,
    }),
  },
})
