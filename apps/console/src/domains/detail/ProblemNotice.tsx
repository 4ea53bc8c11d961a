import type { Domain } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { Deadline } from '../../kit/figures/Deadline.tsx'
import { formatDeadline } from '../../kit/format/deadlines.ts'
import { formatDayAndTimeWithin } from '../../kit/format/times.ts'
import { useLocale, useText } from '../../locales/text.ts'

const waiting: readonly string[] = ['checksPaused', 'methodWaits', 'proofUnseen', 'proofLapsed', 'ownerAsked']

/** The obstacle of the domain, since when, and its remedy. */
export function ProblemNotice({ domain: { problem, shown, isApex, method } }: { domain: Domain }) {
  const t = useText()
  const locale = useLocale()
  if (!problem) return null
  // There our own servers answer, and the delegation counts in place of the record.
  const isHidden = problem.key === 'proofUnseen' && isApex && method === 'ns'
  const params = {
    domain: shown,
    other: problem.other ?? shown,
    time: formatDayAndTimeWithin(problem.since, serverNow(), locale),
    until: problem.until ? formatDeadline(problem.until, serverNow(), locale) : '',
  }
  const text = t(isHidden ? 'domains.problemText.proofUnseenApex' : `domains.problemText.${problem.key}`, params)
  return (
    <Notice
      tone={waiting.includes(problem.key) ? 'amber' : 'coral'}
      role="status"
      title={t(`domains.problem.${problem.key}`, params)}
    >
      {problem.until ? (
        <Deadline at={problem.until} now={serverNow()}>
          {text}
        </Deadline>
      ) : (
        text
      )}
    </Notice>
  )
}
