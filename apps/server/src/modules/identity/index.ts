/** The identity service: who is registered, which name belongs to which DID, and what a DID's document is (wire). */
import { createDidResolver, type Resolvable } from '@atoll/did'
import type { FastifyPluginAsync } from 'fastify'
import type { Db, Trx } from '../../platform/db/index.ts'
import { identityPlugin } from './identity-plugin.ts'
import {
  type NameKept,
  type NameRequest,
  type NameServiceDeps,
  releaseNames,
  removeName,
  requireFreeName,
  takeName,
} from './name-service.ts'
import { findNameOfDid, forgetNamesUnder, lockNames } from './name-store.ts'

export { type NameBound, releaseNames, utcDay } from './name-service.ts'
export {
  boundNames,
  didOf,
  findDidOf,
  findNameOfDid,
  listFormerNames,
  lockNames,
  namedLike,
  nameOfDid,
  namesUnder,
} from './name-store.ts'
export { findRest, restName } from './resting-names.ts'
export { type SignedRequest, verifySignedRequest } from './signed-request.ts'

export type IdentityDeps = NameServiceDeps

export interface Identity {
  /** The raw endpoints, open to every origin. */
  plugin: FastifyPluginAsync
  /** The `name@domain` bound to `did`; null without one. */
  findNameOfDid(db: Db, did: string): Promise<string | null>
  /** Held until `trx` ends; taken before all other locks. */
  lockNames(trx: Trx): Promise<void>
  /** Binds a name whose domain the caller vouches for; `trx` holds the names' lock. */
  takeName(trx: Trx, request: NameRequest): Promise<void>
  /** Refuses a name that cannot be bound, or that somebody has; gives whom it is kept for. */
  requireFreeName(db: Db, name: string): Promise<NameKept | undefined>
  /** Frees every name under `domain`, each kept for its DID for a year; gives the DIDs. */
  releaseNames(trx: Trx, domain: string): Promise<string[]>
  /** Ends a name whose domain's owner removed who has it; `trx` holds the names' lock. */
  removeName(trx: Trx, removed: { did: string; name: string }): Promise<void>
  /** Keeps no name under `domain` for its DID any longer: somebody else has the domain now. */
  forgetNames(trx: Trx, domain: string): Promise<void>
  /** DIF resolver for did:key. */
  resolver: Resolvable
}

export function createIdentity(deps: IdentityDeps): Identity {
  const resolver = createDidResolver()
  return {
    plugin: identityPlugin({ ...deps, resolver }),
    findNameOfDid,
    lockNames,
    takeName: (trx, request) => takeName(deps, trx, request),
    requireFreeName: (db, name) => requireFreeName(deps, db, name),
    releaseNames: (trx, domain) => releaseNames(deps, trx, domain),
    removeName: (trx, removed) => removeName(deps, trx, removed),
    forgetNames: forgetNamesUnder,
    resolver,
  }
}
