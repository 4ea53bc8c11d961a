import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** An operator's announcement, to an account that it affects. The caller formats the times. */
export const announcementMail = defineMail({
  kind: 'announcement',
  params: z.object({
    account: z.string(),
    title: z.string(),
    text: z.string(),
    /** When, and where: label and value. */
    facts: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
  compose: {
    'en-US': ({ account, title, text, facts }, { product }) => ({
      subject: title,
      preview: text.slice(0, 120),
      heading: title,
      before: text.split(/\n{2,}/),
      facts,
      action: { label: 'Open the status page', path: '/status' },
      after: [],
      reason: `Sent because ${account} has clusters on ${product} that this may touch.`,
    }),
    'zh-CN': ({ account, title, text, facts }, { product }) => ({
      subject: title,
      preview: text.slice(0, 120),
      heading: title,
      before: text.split(/\n{2,}/),
      facts,
      action: { label: '打开状态页', path: '/status' },
      after: [],
      reason: `${account} 在 ${product} 上的集群可能受此影响，因此发送本邮件。`,
    }),
  },
})
