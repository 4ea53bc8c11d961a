import type { DomainDetail, DomainVerdict } from '@atoll/contract/domains'
import { Notice } from '@atoll/ui'
import { formatUptime } from '../../../kit/format/times.ts'
import { useLocale, useText } from '../../../locales/text.ts'
import { MarkedLetters } from './MarkedLetters.tsx'
import { markLetters, nearestOf } from './mark-letters.ts'
import { toneOf, troubleOf } from './trouble.ts'

/** Faults that the last DNS check found, and their remedies; nothing when all is well. */
export function TroubleNotice({ detail }: { detail: DomainDetail }) {
  const t = useText()
  const locale = useLocale()
  const trouble = troubleOf(detail)
  if (!trouble) return null
  const { kind, found = [], agree, clearsIn, type, name, server } = trouble
  // Nothing is wrong with a match.
  if (kind === 'match') return null
  const expected = detail.records.flatMap(({ values }) => values)
  const other = found.filter((value) => !expected.includes(value))
  const params = {
    type: type === 'DS' ? 'NS' : type,
    name,
    server,
    found: (kind === 'otherServers' ? other : found).join(', '),
    have: agree?.have ?? 0,
    of: agree?.of ?? 0,
    time: formatUptime((clearsIn ?? 0) * 1000, locale),
  }
  const isSome = kind === 'missing' && found.length > 0
  const key = isSome ? 'missingSome' : trouble.nearly ? 'nearly' : kind
  return (
    <Notice tone={isSome ? 'coral' : toneOf(kind)} title={t(`domains.trouble.${key}`, params)} role="status">
      {kind === 'wrongValue' ? <Values verdict={trouble} expected={expected} /> : t(`domains.help.${kind}`, params)}
    </Notice>
  )
}

/** The found value beside the expected one; if it is nearly right, with the letters that differ. */
function Values({
  verdict: { found = [], nearly },
  expected,
}: {
  verdict: DomainVerdict
  expected: readonly string[]
}) {
  const t = useText()
  const seen = found.find((value) => !expected.includes(value)) ?? ''
  const right = nearestOf(
    seen,
    expected.filter((value) => !found.includes(value)),
  )
  const marked = markLetters(seen, right ?? '')
  const whole = (text: string) => [{ text, differs: false }]
  return (
    <>
      {t('domains.seenBefore')}
      <MarkedLetters tone="wrong" parts={nearly ? marked.found : whole(seen)} />
      {t('domains.seenBetween')}
      <MarkedLetters tone="right" parts={nearly ? marked.expected : whole(right ?? '')} />
      {t('domains.seenAfter')}
    </>
  )
}
