import { fillText, joinSentences } from '@atoll/texts/fill-text'
import { mailTexts } from '@atoll/texts/mails'
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
  compose: ({ account, cluster, scope, text, since, answerBy }, _site, locale) => {
    const t = mailTexts[locale].suspended
    const heading = fillText(t.heading, { name: cluster ?? account })
    const isStopped = scope === 'servers'
    return {
      subject: heading,
      preview: text.slice(0, 120),
      heading,
      before: [t[scope]],
      table: {
        rows: [
          { label: t.since, value: since },
          { label: t.reason, value: text },
          ...(isStopped
            ? [{ label: t.stopped, value: fillText(t.stoppedUntil, { what: cluster ?? t.allClusters }) }]
            : []),
          ...(answerBy ? [{ label: t.answerBy, value: answerBy }] : []),
        ],
      },
      action: { label: t.action, path: '/' },
      after: [joinSentences([t.after, ...(isStopped ? [t.mistake] : [])], locale)],
      reason: fillText(t.why, { account }),
    }
  },
})
