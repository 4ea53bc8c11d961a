import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/** Clusters that are to be moved to another machine, to their owner. The caller formats the times. */
export const drainMail = defineMail({
  kind: 'drain',
  params: z.object({ account: z.string(), clusters: z.array(z.string()), starts: z.string(), ends: z.string() }),
  compose: ({ account, clusters, starts, ends }, { product }, locale) => {
    const t = mailTexts[locale].drain
    const named = { clusters: clusters.join(t.separator) }
    const [first = '', ...more] = fillParagraphs(t.before, named)
    return {
      subject: fillText(t.heading, named),
      preview: first,
      heading: fillText(t.heading, named),
      before: [first],
      facts: [
        { label: t.facts.starts, value: starts },
        { label: t.facts.ends, value: ends },
      ],
      action: { label: t.action, path: '/' },
      after: more,
      reason: fillText(t.reason, { account, product }),
    }
  },
})
