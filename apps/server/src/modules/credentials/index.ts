/** Credentials that say whose domain it is: issued to wallets, presented by them, listed when they are revoked. */
import type { FastifyPluginAsync } from 'fastify'
import type { Db, Trx } from '../../platform/db/index.ts'
import type { Job } from '../../platform/jobs/index.ts'
import type { CredentialDeps } from './credential-deps.ts'
import { credentialsPlugin } from './credentials-plugin.ts'
import { type CredentialOrder, type Issued, issueCredential } from './issue-credential.ts'
import { noncesPrune } from './nonces-prune.ts'
import { type Application, readApplication, type SignedFor } from './read-application.ts'
import { type Presented, readPresentation, takeNonce } from './read-presentation.ts'
import { findEnd, listEnding, revokeCredentials } from './stores/credential-store.ts'

export type { Issued } from './issue-credential.ts'
export { credentialKeyMoves } from './key-moves.ts'
export { findValidCredentials, revokeCredentials } from './stores/credential-store.ts'
export { retireIssuer } from './stores/issuer-key-store.ts'

type Signed = Omit<SignedFor, 'now' | 'config'>

export interface Credentials {
  plugin: FastifyPluginAsync
  jobs: Job[]
  /** The application that `jws` signs; refuses one that is not this account's for this domain. */
  readApplication(jws: string, expected: Signed): Promise<Application>
  issue(trx: Trx, order: CredentialOrder): Promise<Issued>
  /** The presentation that `jws` signs; refuses all but a valid credential for the claim with this number. */
  readPresentation(jws: string, expected: Signed & { number: number; userid: string }): Promise<Presented>
  /** True: this very presentation was taken before. Refuses another one with its nonce. */
  takeNonce(trx: Trx, holder: string, presented: Presented): Promise<boolean>
  /** Claims whose last valid credential ends before `before`; of one claim alone with `number`. */
  listEnding(db: Db | Trx, before: Date, number?: number): Promise<number[]>
  /** The end of a claim's last valid credential. */
  findEnd(db: Db | Trx, number: number): Promise<Date | undefined>
  /** Revokes what was issued for a claim; safe to repeat. */
  revoke(trx: Trx, number: number): Promise<void>
}

export function createCredentials(deps: CredentialDeps): Credentials {
  const { db, clock, config } = deps
  return {
    plugin: credentialsPlugin(deps),
    jobs: [noncesPrune(deps)],
    readApplication: (jws, expected) => readApplication(jws, { ...expected, now: clock.now(), config }),
    issue: (trx, order) => issueCredential(deps, trx, order),
    readPresentation: (jws, expected) => readPresentation(db, jws, { ...expected, now: clock.now(), config }),
    takeNonce: (trx, holder, presented) => takeNonce(trx, holder, presented, clock.now()),
    listEnding,
    findEnd,
    revoke: (trx, number) => revokeCredentials(trx, number, clock.now()),
  }
}
