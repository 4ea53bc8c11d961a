import type { HttpsProblem } from '@atoll/contract/domains'
import type { CertificateRow } from '../stores/certificate-store.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/**
 * The longest wait of a certificate that has `problem` before its next try. It is shorter while visitors wait for the
 * certificate, or while only the owner's record is missing, since checking that costs no order: it is checked each
 * minute for a day, because the owner watches the page while correcting it. ms
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
