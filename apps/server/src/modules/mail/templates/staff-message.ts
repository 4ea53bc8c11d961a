import { fillText } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** Written by staff to one customer. */
export const staffMessageMail = defineMail({
  kind: 'staffMessage',
  params: z.object({ account: z.string(), subject: z.string(), text: z.string() }),
  compose: ({ account, subject, text }, { product }, locale) => ({
    subject,
    preview: text.slice(0, 120),
    heading: subject,
    before: text.split(/\n{2,}/),
    after: [],
    reason: fillText(mailTexts[locale].staffMessage.reason, { account, product }),
  }),
})
