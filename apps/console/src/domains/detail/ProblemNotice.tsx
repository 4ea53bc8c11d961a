import type { Domain } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDayAndTime } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'

const waiting: readonly string[] = ['checksPaused', 'methodWaits', 'proofLapsed', 'ownerAsked']

/** What keeps the domain from going on, since when, and what helps. */
export function ProblemNotice({ domain: { problem, shown } }: { domain: Domain }) {
  const t = useText()
  const locale = useLocale()
  if (!problem) return null
  const params = {
    domain: shown,
    other: problem.other ?? shown,
    time: formatDayAndTime(problem.since, serverNow(), locale),
    until: problem.until ? formatDayAndTime(problem.until, serverNow(), locale) : '',
  }
  return (
    <Notice
      tone={waiting.includes(problem.key) ? 'amber' : 'coral'}
      role="status"
      title={t(`domains.problem.${problem.key}`, params)}
    >
      {t(`domains.problemText.${problem.key}`, params)}
    </Notice>
  )
}
