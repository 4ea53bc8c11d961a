import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import { defineMail } from './mail-kind.ts'

/** About the account's data and its end. */
export const accountMail = defineMail({
  kind: 'account',
  params: z.object({
    about: z.enum(['exportReady', 'closing', 'closingSoon', 'closingKept', 'closed']),
    account: z.string(),
    until: z.iso.datetime(),
    timeZone: z.string(),
  }),
  compose: ({ about, account, until, timeZone }, _site, locale) => {
    const { facts, open, [about]: texts } = mailTexts[locale].account
    const untilLabels: Readonly<Record<string, string>> = facts.until
    const label = untilLabels[about]
    const end = deadlineText(new Date(until), timeZone, locale)
    const params = { account, until: end }
    return {
      subject: fillText(texts.subject, params),
      preview: texts.preview,
      heading: texts.heading,
      before: fillParagraphs(texts.before, params),
      reason: fillText(texts.reason, params),
      facts: [{ label: facts.account, value: account }, ...(label === undefined ? [] : [{ label, value: end }])],
      action: { label: open, path: '/profile' },
      after: [],
    }
  },
})
