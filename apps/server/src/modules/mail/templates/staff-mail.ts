import { fillText, joinSentences } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
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
  compose: ({ cluster, clusterId, said, givesBack }, _site, locale) => {
    const t = mailTexts[locale].staff
    const heading = fillText(t.heading, { cluster })
    return {
      subject: heading,
      preview: said,
      heading,
      before: fillParagraphs(t.before, { said }),
      action: { label: t.action, path: `/cluster/${clusterId}` },
      after: [joinSentences([t.after, ...(givesBack ? [t.givesBack] : [])], locale)],
      reason: t.reason,
    }
  },
})
