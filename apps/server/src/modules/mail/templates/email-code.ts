import { emailCodeLifetimeMs, emailCodeTries } from '@atoll/contract/accounts'
import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** Proves that the person who binds an address reads its mail. */
export const emailCodeMail = defineMail({
  kind: 'emailCode',
  params: z.object({ code: z.string(), account: z.string() }),
  compose: ({ code, account }, { product }, locale) => {
    const t = mailTexts[locale].emailCode
    const params = { code, account, product, minutes: emailCodeLifetimeMs / 60_000, tries: emailCodeTries }
    return {
      subject: fillText(t.subject, params),
      preview: fillText(t.preview, params),
      heading: t.heading,
      before: fillParagraphs(t.before, params),
      figure: code,
      after: fillParagraphs(t.after, params),
      reason: t.reason,
    }
  },
})
