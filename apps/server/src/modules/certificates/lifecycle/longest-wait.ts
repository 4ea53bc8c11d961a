import type { HttpsProblem } from '@atoll/contract/domains'
import type { CertificateRow } from '../stores/certificate-store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * How long a certificate that has `problem` waits at most for its next try: less while visitors wait for it, or for
 * nothing but the owner's record, which costs no order. That is looked at each minute for a day, as whoever mends it
 * looks at the page meanwhile. ms
 */
export function longestWait(
  row: Pick<CertificateRow, 'not_after' | 'problem_since'>,
  step: { kind: 'pause' | 'fail'; problem: HttpsProblem },
  { now, usualMs }: { now: Date; usualMs: number },
): number {
  if (step.kind === 'pause' && step.problem === 'caaForbids') {
    const isNew = now.getTime() - (row.problem_since ?? now).getTime() < dayMs
    return (isNew ? 1 : 10) * minuteMs
  }
  const isServed = row.not_after !== null && row.not_after > now
  return isServed ? usualMs : 60 * minuteMs
}
