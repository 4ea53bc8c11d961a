import type { Trx } from '../../../platform/db/index.ts'
import type { CertificateDeps } from '../certificate-deps.ts'
import { updateFailedDue } from '../stores/certificate-store.ts'
import { wakeCertificate } from './job.ts'

/**
 * Has every certificate of a domain that failed, or that waits until the domain points here, tried now: something was
 * mended. Safe to repeat; how often an authority may be asked is limited by `find-obstacle.ts`.
 */
export async function wakeFailed(
  { ca, clock }: Pick<CertificateDeps, 'ca' | 'clock'>,
  trx: Trx,
  domain: number,
): Promise<void> {
  if (!ca) return
  for (const id of await updateFailedDue(trx, domain, clock.now())) await wakeCertificate(trx, id)
}
