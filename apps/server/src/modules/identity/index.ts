/** The identity service: who is registered, which name belongs to which DID, and what a DID's document is (wire). */
import { createDidResolver, type Resolvable } from '@atoll/did'
import type { FastifyPluginAsync } from 'fastify'
import type { Db } from '../../platform/db/index.ts'
import { identityPlugin } from './identity-plugin.ts'
import type { NameServiceDeps } from './name-service.ts'
import { findNameOf } from './name-store.ts'

export { findDidOf, nameOf } from './name-store.ts'
export { type SignedRequest, verifySignedRequest } from './signed-request.ts'

export type IdentityDeps = NameServiceDeps

export interface Identity {
  /** The raw endpoints, open to every origin. */
  plugin: FastifyPluginAsync
  /** The `name@domain` bound to `did`; null without one. */
  findNameOf(db: Db, did: string): Promise<string | null>
  /** DIF resolver for did:key. */
  resolver: Resolvable
}

export function createIdentity(deps: IdentityDeps): Identity {
  const resolver = createDidResolver()
  return { plugin: identityPlugin({ ...deps, resolver }), findNameOf, resolver }
}
