import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/**
 * To the address that was bound, when another takes its place or it is removed: its owner may not be the one who did
 * it.
 */
export const emailUnlinkedMail = defineMail({
  kind: 'emailUnlinked',
  params: z.object({ account: z.string() }),
  compose: ({ account }, { product }, locale) => {
    const t = mailTexts[locale].emailUnlinked
    const params = { account, product }
    return {
      subject: fillText(t.subject, params),
      preview: fillText(t.preview, params),
      heading: t.heading,
      before: fillParagraphs(t.before, params),
      action: { label: t.action, path: '/sessions' },
      after: [],
      reason: t.reason,
    }
  },
})
