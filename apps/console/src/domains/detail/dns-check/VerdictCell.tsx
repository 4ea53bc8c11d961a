import type { DomainVerdict } from '@atoll/contract/domains'
import { StateBadge, stateLook } from '@atoll/ui'
import type { ReactNode } from 'react'
import { formatUptime } from '../../../kit/format/times.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import classes from './DnsCheck.module.css'
import { MarkedLetters } from './MarkedLetters.tsx'
import { markLetters, nearestOf } from './mark-letters.ts'
import { verdictLooks } from './verdict-looks.ts'

interface VerdictCellProps {
  verdict: DomainVerdict
  /** Values that should be there. */
  expected: readonly string[]
}

/** One server's answer in a word, and in small the server. */
export function VerdictCell({ verdict, expected }: VerdictCellProps) {
  const t = useText()
  const look = stateLook(verdictLooks, verdict.kind)
  return (
    <span className={classes.verdict}>
      <StateBadge {...look} bare>
        {t(`domains.verdict.${verdict.kind}`)}
      </StateBadge>
      <Small verdict={verdict} expected={expected} />
    </span>
  )
}

function Small({
  verdict: { kind, found = [], clearsIn, agree, extendedError, nearly, name },
  expected,
}: VerdictCellProps) {
  const t = useText()
  const locale = useLocale()
  const other = found.filter((value) => !expected.includes(value))
  const small = (content: ReactNode) => <span className={classes.verdictSmall}>{content}</span>
  if (kind === 'wrongValue' && nearly && other[0] !== undefined) {
    const right = nearestOf(
      other[0],
      expected.filter((value) => !found.includes(value)),
    )
    return small(<MarkedLetters tone="wrong" parts={markLetters(other[0], right ?? '').found} />)
  }
  if (kind === 'stillCached' && clearsIn !== undefined)
    return small(t('domains.clearsIn', { time: formatUptime(clearsIn * 1000, locale) }))
  if (kind === 'serversDisagree' && agree) return small(t('domains.agree', agree))
  if (kind === 'nameDoubled') return small(<code>{t('domains.doubledName', { name })}</code>)
  if (kind === 'noAnswer') return small(t('domains.timedOut'))
  if (kind === 'dnssecBroken' && extendedError !== undefined)
    return small(t('domains.extendedError', { code: extendedError }))
  const values = kind === 'otherServers' ? other : found
  return values.length > 0 ? small(<code>{values.slice(0, 3).join(', ')}</code>) : null
}
