/**
 * Renews the credentials of domains 30 days before they end (design/domains, "Credentials"). The wallet finds the new
 * one where it found the first, in `fullString`; the old one expires. A domain that no longer points here, or that
 * somebody else has proven, waits.
 */

import { verifyJws } from '@atoll/did'
import { z } from 'zod'
import { defineTimedJob, type Job } from '../../../platform/jobs/index.ts'
import { getDid } from '../../accounts/index.ts'
import type { DomainDeps } from '../domain-deps.ts'
import { bySystem, changeDomain } from '../lifecycle/domain-events.ts'
import { lockDomain } from '../records/domain-store.ts'
import { Issued } from './wallet-service.ts'

const renewedBeforeMs = 30 * 24 * 60 * 60_000

/** The parts of the first issue that are used again. */
const Answered = z.object({ application_id: z.string() })
const Subject = z.object({ vc: z.object({ credentialSubject: z.object({ owner: z.string() }) }) })

export function credentialRenewals(deps: DomainDeps): Job {
  return defineTimedJob({
    name: 'domain.renewCredentials',
    lane: 'own',
    waits: 'deadline',
    cron: '13 4 * * *',
    async run() {
      const before = new Date(deps.clock.now().getTime() + renewedBeforeMs)
      for (const number of await deps.credentials.listEnding(deps.db, before)) await renew(deps, number, before)
    },
  })
}

async function renew(deps: DomainDeps, number: number, before: Date): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const row = await lockDomain(trx, number)
    if (!row || row.full_string === null || row.problem === 'delegationLost' || row.contest_until !== null) return
    // Another worker was faster.
    if (!(await deps.credentials.listEnding(trx, before, number)).includes(number)) return
    const last = Issued.parse(JSON.parse(row.full_string))
    const { payload } = await verifyJws(last.verifiableCredentials[0] ?? '')
    const application = {
      id: Answered.parse(last.credential_response).application_id,
      owner: Subject.parse(payload).vc.credentialSubject.owner,
    }
    const { name: domain, userid } = row
    const issued = await deps.credentials.issue(trx, {
      number,
      domain,
      userid,
      did: await getDid(trx, userid),
      application,
    })
    const record = { source: bySystem, action: 'domain.renewCredential', now: deps.clock.now() } as const
    await changeDomain(trx, row, { full_string: JSON.stringify(issued) }, record)
  })
}
