import { fillText } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
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
  compose: ({ account, title, text, facts }, { product }, locale) => ({
    subject: title,
    preview: text.slice(0, 120),
    heading: title,
    before: text.split(/\n{2,}/),
    facts,
    action: { label: mailTexts[locale].announcement.action, path: '/status' },
    after: [],
    reason: fillText(mailTexts[locale].announcement.reason, { account, product }),
  }),
})
