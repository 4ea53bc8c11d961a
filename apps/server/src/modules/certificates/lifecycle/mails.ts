/**
 * Mails to owners about certificates that are not got (job certificate.mails): after three days of failure, and with a
 * sixth of a certificate's life left. One mail names all of a domain that are concerned; each certificate is mailed
 * once about either until it is issued again.
 */
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import type { CertificateDeps, HttpsNews } from '../certificate-deps.ts'
import { type ConcernedCertificate, listConcerned, setMailed } from '../stores/mail-store.ts'

const dayMs = 24 * 60 * 60_000
/** So long what fails may still be over without anybody's help. */
export const failingMs = 3 * dayMs
/** Names that a mail lists. */
const mostNames = 5

export interface PlannedMail {
  domain: number
  kind: 'failing' | 'ending'
  /** The certificates that it is about. */
  ids: string[]
  news: HttpsNews
}

/** A certificate has a sixth of its life left, or less: it should have been renewed long ago. */
function isEnding({ not_before: begin, not_after: end }: ConcernedCertificate, now: Date): boolean {
  return begin !== null && end !== null && end.getTime() - now.getTime() <= (end.getTime() - begin.getTime()) / 6
}

const earliest = (dates: readonly Date[]) => new Date(Math.min(...dates.map((date) => date.getTime())))

/** The mails to send now. A domain has one of each kind a day at most; what comes meanwhile is in the next one. */
export function planMails(rows: readonly ConcernedCertificate[], now: Date): PlannedMail[] {
  return [...Map.groupBy(rows, ({ domain }) => domain)].flatMap(([domain, certificates]) => {
    const wasMailed = (kind: 'failing_mailed_at' | 'ending_mailed_at') =>
      certificates.some((one) => one[kind] !== null && now.getTime() - one[kind].getTime() < dayMs)
    const ending = certificates.filter((one) => one.ending_mailed_at === null && isEnding(one, now))
    const failing = certificates.filter(
      (one) =>
        one.failing_mailed_at === null &&
        one.problem_since !== null &&
        now.getTime() - one.problem_since.getTime() >= failingMs,
    )
    const about = (concerned: readonly ConcernedCertificate[]) => {
      const names = concerned.flatMap((one) => one.names)
      const fault = concerned.find((one) => one.problem_fault !== null)?.problem_fault ?? null
      return {
        domain: concerned[0]?.domain_name ?? '',
        names: names.slice(0, mostNames),
        more: Math.max(0, names.length - mostNames),
        fault,
      }
    }
    const mails: PlannedMail[] = []
    if (ending.length > 0 && !wasMailed('ending_mailed_at')) {
      const until = earliest(ending.flatMap(({ not_after }) => not_after ?? [])).toISOString()
      const news = { event: 'httpsEnding', ...about(ending), until } as const
      mails.push({ domain, kind: 'ending', ids: ending.map(({ id }) => id), news })
    }
    if (failing.length > 0 && !wasMailed('failing_mailed_at')) {
      const since = earliest(failing.flatMap(({ problem_since }) => problem_since ?? [])).toISOString()
      const news = { event: 'httpsFailing', ...about(failing), since } as const
      mails.push({ domain, kind: 'failing', ids: failing.map(({ id }) => id), news })
    }
    return mails
  })
}

export function certificateMails({ db, clock, domains }: Pick<CertificateDeps, 'db' | 'clock' | 'domains'>): Job {
  return defineTimedJob({
    name: 'certificate.mails',
    lane: 'own',
    waits: 'careful',
    cron: '23 * * * *',
    async run() {
      const now = clock.now()
      const rows = await listConcerned(db, now, new Date(now.getTime() - failingMs))
      for (const { domain, kind, ids, news } of planMails(rows, now))
        await db.transaction().execute(async (trx) => {
          if (await setMailed(trx, ids, kind, now)) await domains.notifyOwner(trx, domain, news)
        })
    },
  })
}
