import { alertRuleNames } from '@atoll/contract/observe'
import type { Locale } from '@atoll/contract/wire'
import { fillText, formOf } from '@atoll/texts/fill-text'
import { alertKindTexts, fillParagraphs, mailTexts } from '@atoll/texts/mails'
import { z } from 'zod'
import type { MailFact } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const Params = z.object({
  account: z.string(),
  cluster: z.string(),
  /** `master`, `worker-1`, …: the same in every language. */
  instance: z.string(),
  rule: z.enum(alertRuleNames),
  event: z.enum(['fired', 'cleared']),
  /** In the unit of the rule: percent, intervals of a backup, or days. */
  percent: z.int(),
  /** At which it fires, in the same. Mails from before it could be chosen do not say. */
  threshold: z.int().default(90),
  /** The workload or backup that it is about. */
  subject: z.string().default(''),
  /** How long it held before it fired. */
  minutes: z.int(),
  /** The page of the cluster's alerts. Mails from before it was said have no button. */
  path: z.string().startsWith('/').optional(),
})
type Alert = z.output<typeof Params>

/** That a rule about an instance fired, or has cleared. */
export const alertMail = defineMail({
  kind: 'alert',
  params: Params,
  compose: (alert, _site, locale) => {
    const { account, path, rule, event, ...params } = alert
    const { open, reason } = mailTexts[locale].alert
    const texts: { heading: string; before?: string } = alertKindTexts[locale][rule][event]
    const heading = fillText(texts.heading, params)
    const before = fillParagraphs(texts.before ?? formOf({ ...texts }, 'before', alert.threshold, locale) ?? '', params)
    return {
      subject: heading,
      heading,
      preview: before[0] ?? '',
      before,
      facts: factsOf(alert, locale),
      ...(path !== undefined && { action: { label: open, path } }),
      after: [],
      reason: fillText(reason, { account }),
    }
  },
})

function factsOf({ rule, cluster, instance, subject, percent, threshold }: Alert, locale: Locale): MailFact[] {
  const { facts: labels, share } = mailTexts[locale].alert
  const isBackup = rule === 'backup' || rule === 'proof'
  return [
    { label: labels.cluster, value: cluster },
    ...(isBackup ? [] : [{ label: labels.instance, value: instance }]),
    ...(subject === '' ? [] : [{ label: isBackup ? labels.backup : labels.workload, value: subject }]),
    ...(rule === 'disk' || rule === 'memory'
      ? [
          { label: labels.now, value: fillText(share, { percent }) },
          { label: labels.limit, value: fillText(share, { percent: threshold }) },
        ]
      : []),
  ]
}
