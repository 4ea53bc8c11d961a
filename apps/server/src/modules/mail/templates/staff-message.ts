import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** Written by staff to one customer. */
export const staffMessageMail = defineMail({
  kind: 'staffMessage',
  params: z.object({ account: z.string(), subject: z.string(), text: z.string() }),
  compose: {
    'en-US': ({ account, subject, text }, { product }) => ({
      subject,
      preview: text.slice(0, 120),
      heading: subject,
      before: text.split(/\n{2,}/),
      after: [],
      reason: `Written to ${account} by the people who run ${product}.`,
    }),
    'zh-CN': ({ account, subject, text }, { product }) => ({
      subject,
      preview: text.slice(0, 120),
      heading: subject,
      before: text.split(/\n{2,}/),
      after: [],
      reason: `本邮件由 ${product} 的运营人员写给 ${account}。`,
    }),
  },
})
