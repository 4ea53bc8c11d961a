import type { Config } from '../../config.ts'
import { findAddressee } from '../../modules/accounts/index.ts'
import { dropCertificates } from '../../modules/certificates/index.ts'
import { findValidCredentials, revokeCredentials } from '../../modules/credentials/index.ts'
import { removeZone, wakePowerDns } from '../../modules/dns/index.ts'
import { createNotifyPerson, recordRevocation, releaseDomain } from '../../modules/domains/index.ts'
import { lockNames, releaseNames } from '../../modules/identity/index.ts'
import { type Mail, postMail } from '../../modules/mail/index.ts'
import { systemClock as clock } from '../../platform/clock.ts'
import { requireSecretKeys } from '../../platform/data-folder/secret-key.ts'
import type { Db, Trx } from '../../platform/db/index.ts'
import { checkSameKey } from '../../platform/keys/index.ts'

/** Takes a linked domain from its account; gives whose it was, or undefined where nobody has proven it. */
export async function releaseByOperator(db: Db, config: Config, domain: string): Promise<string | undefined> {
  const sealer = await checkSameKey(db, requireSecretKeys(config))
  const mail: Pick<Mail, 'post'> = { post: (trx, order) => postMail(trx, { clock, sealer }, order) }
  const deps = {
    db,
    clock,
    credentials: { revoke: revokeNow },
    dns: {
      async removeZone(trx: Trx, zone: { domain: string }) {
        await removeZone(trx, zone)
        if (config.powerDns) await wakePowerDns(trx, zone.domain)
      },
    },
    certificates: { drop: dropCertificates },
    names: { lock: lockNames, release: releaseUnder },
    notify: createNotifyPerson({ clock, mail, findAddressee }),
  }
  return await releaseDomain(deps, domain)
}

/**
 * Revokes the credential of a linked domain, which stays; gives how many there were, undefined: nobody has proven it.
 */
export async function revokeByOperator(db: Db, domain: string): Promise<number | undefined> {
  return await db.transaction().execute((trx) =>
    recordRevocation(trx, domain, async (number) => {
      const count = (await findValidCredentials(trx, number)).length
      await revokeNow(trx, number)
      return count
    }),
  )
}

const revokeNow = (trx: Parameters<typeof revokeCredentials>[0], number: number) =>
  revokeCredentials(trx, number, clock.now())
const releaseUnder = (trx: Parameters<typeof releaseNames>[1], domain: string) => releaseNames({ clock }, trx, domain)
