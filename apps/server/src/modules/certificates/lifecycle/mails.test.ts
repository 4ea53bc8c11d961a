import { describe, expect, test } from 'vitest'
import type { ConcernedCertificate } from '../stores/mail-store.ts'
import { planMails } from './mails.ts'

const now = new Date('2026-06-01T00:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 60 * 60_000)
let number = 0
function certificate(facts: Partial<ConcernedCertificate>): ConcernedCertificate {
  number += 1
  return {
    id: `crt_${number}`,
    domain: 1,
    domain_name: 'lagoon.example',
    names: [`host${number}.lagoon.example`],
    not_before: days(-10),
    not_after: days(80),
    problem_since: null,
    problem_fault: null,
    failing_mailed_at: null,
    ending_mailed_at: null,
    ...facts,
  }
}
const events = (...rows: ConcernedCertificate[]) => planMails(rows, now).map(({ news }) => news.event)

describe('a mail about certificates', () => {
  test('is sent after three days of failure, whether one serves or not', () => {
    expect(events(certificate({ problem_since: days(-2.9) }))).toEqual([])
    expect(events(certificate({ problem_since: days(-3) }))).toEqual(['httpsFailing'])
    expect(events(certificate({ problem_since: days(-3), not_before: null, not_after: null }))).toEqual([
      'httpsFailing',
    ])
  })

  test('is sent with a sixth of the life left, of a certificate of 90 days and of one of six', () => {
    expect(events(certificate({ not_before: days(-74.9), not_after: days(15.1) }))).toEqual([])
    expect(events(certificate({ not_before: days(-75), not_after: days(15) }))).toEqual(['httpsEnding'])
    expect(events(certificate({ not_before: days(-5), not_after: days(1) }))).toEqual(['httpsEnding'])
    expect(events(certificate({ not_before: days(-91), not_after: days(-1) }))).toEqual(['httpsEnding'])
  })

  test('is sent once about each certificate, and names all of a domain that are concerned', () => {
    const failing = Array.from({ length: 7 }, () => certificate({ problem_since: days(-4), problem_fault: 'owner' }))
    const other = certificate({ problem_since: days(-5), domain: 2, domain_name: 'reef.example' })
    const mails = planMails([...failing, other], now)
    expect(mails.map(({ domain, ids }) => [domain, ids.length])).toEqual([
      [1, 7],
      [2, 1],
    ])
    expect(mails[0]?.news).toEqual({
      event: 'httpsFailing',
      domain: 'lagoon.example',
      fault: 'owner',
      since: days(-4).toISOString(),
      more: 2,
      names: failing.slice(0, 5).flatMap(({ names }) => names),
    })
    expect(events(certificate({ problem_since: days(-9), failing_mailed_at: days(-6) }))).toEqual([])
  })

  test('waits a day after the last one of its kind to the same domain', () => {
    const fresh = () => certificate({ problem_since: days(-3) })
    const mailed = (at: Date) => certificate({ problem_since: days(-4), failing_mailed_at: at })
    expect(events(fresh(), mailed(days(-0.5)))).toEqual([])
    expect(events(fresh(), mailed(days(-1)))).toEqual(['httpsFailing'])
  })
})
