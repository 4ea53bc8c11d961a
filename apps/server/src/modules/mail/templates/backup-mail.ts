import type { Locale } from '@atoll/contract/wire'
import { fillText } from '@atoll/texts/fill-text'
import { fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import type { MailFact } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const common = {
  account: z.string(),
  backup: z.string(),
  cluster: z.string(),
  path: z.string(),
  /** When it happened, and what comes before and after it. Mails from before these were noted have no such lines. */
  times: z
    .object({
      at: z.iso.datetime(),
      /** The newest snapshot that is kept; null: there is none. */
      lastGood: z.iso.datetime().nullable(),
      /** The next run; null: the plan is paused. */
      next: z.iso.datetime().nullable(),
      /** Of the reader, an IANA name. */
      timeZone: z.string(),
    })
    .optional(),
}
const Params = z.discriminatedUnion('about', [
  z.object({ ...common, about: z.enum(['damage', 'drill', 'run', 'prune', 'check']), reason: z.string() }),
  z.object({ ...common, about: z.literal('over') }),
  z.object({ ...common, about: z.enum(['shrink', 'rewrite']), percent: z.int() }),
])
type About = z.output<typeof Params>

/** That a backup is damaged, fails or works again, or changed in a way that looks like an attack or an accident. */
export const backupMail = defineMail({
  kind: 'backup',
  params: Params,
  compose: (mail, _site, locale) => {
    const { open, reason, [mail.about]: texts } = mailTexts[locale].backup
    const { account, backup, cluster, path } = mail
    const params = {
      backup,
      cluster,
      ...('reason' in mail && { reason: mail.reason }),
      ...('percent' in mail && { percent: mail.percent }),
    }
    const heading = fillText(texts.heading, params)
    const before = fillParagraphs(texts.before, params)
    return {
      subject: heading,
      heading,
      preview: before[0] ?? '',
      before,
      facts: factsOf(mail, locale),
      action: { label: open, path },
      after: [],
      reason: fillText(reason, { account }),
    }
  },
})

function factsOf({ times }: About, locale: Locale): MailFact[] {
  if (!times) return []
  const labels = mailTexts[locale].backup.facts
  return (['at', 'lastGood', 'next'] as const).flatMap((key) => {
    const at = times[key]
    return at === null ? [] : [{ label: labels[key], value: deadlineText(new Date(at), times.timeZone, locale) }]
  })
}
