import { accountKeyMoves } from '../modules/accounts/index.ts'
import { agentKeyMoves, countLastSeen } from '../modules/agents/index.ts'
import { auditKeyMove } from '../modules/audit/index.ts'
import { backupKeyMoves } from '../modules/backups/index.ts'
import { billingKeyMoves } from '../modules/billing/index.ts'
import { certificateKeyMoves } from '../modules/certificates/index.ts'
import { clusterKeyMoves, listFrpInstances } from '../modules/clusters/index.ts'
import { credentialKeyMoves } from '../modules/credentials/index.ts'
import { dnsKeyMoves } from '../modules/dns/index.ts'
import { domainKeyMoves } from '../modules/domains/index.ts'
import { ledgerKeyMove } from '../modules/ledger/index.ts'
import { mailKeyMoves } from '../modules/mail/index.ts'
import { paymentKeyMoves } from '../modules/payments/index.ts'
import { rightsKeyMoves } from '../modules/rights/index.ts'
import { type KeyMoves, madeAtStart } from '../platform/keys/index.ts'

/**
 * An agent that was away for longer receives its new token in the first message after it connects, and no longer needs
 * the old one.
 */
const agentsAwayMs = 7 * 24 * 3600_000

/** How each use of the secret key comes to another key. */
export function keyMoves(config: { powerDns?: { urls: readonly string[] } | undefined }): KeyMoves {
  return {
    ...accountKeyMoves,
    ...agentKeyMoves,
    ...backupKeyMoves,
    ...billingKeyMoves,
    ...certificateKeyMoves,
    ...clusterKeyMoves,
    ...credentialKeyMoves,
    ...dnsKeyMoves(config.powerDns?.urls ?? []),
    ...domainKeyMoves,
    ...mailKeyMoves,
    ...paymentKeyMoves,
    ...rightsKeyMoves,
    frp: {
      // An agent is told its token each time that it reaches us.
      async count({ db }, since) {
        const from = new Date(since.getTime() - agentsAwayMs)
        return await countLastSeen(db, await listFrpInstances(db), { from, to: since })
      },
    },
    // The records of both chains of the log are sealed in one table.
    audit: madeAtStart,
    'audit records': auditKeyMove,
    ledger: ledgerKeyMove,
    'edge to edge': madeAtStart,
    // Written when the key is switched.
    'mark of the deployment key': madeAtStart,
  }
}
