/** Issues the credential that says whose domain it is: VCDM 1.1 as a JWT (design/domains, "Credentials"). */
import { randomUUID } from 'node:crypto'
import { signJws } from '@atoll/did'
import type { Trx } from '../../platform/db/index.ts'
import type { CredentialDeps } from './credential-deps.ts'
import { credentialResponse, schemaUrl } from './documents.ts'
import type { Application } from './read-application.ts'
import { statusListUrl } from './status-list.ts'
import { insertCredential } from './stores/credential-store.ts'
import { ensureIssuer } from './stores/issuer-key-store.ts'

const lifetimeMs = 365 * 24 * 60 * 60_000

/** The answer to a wallet's application (wire, `requestDomainVC`). */
export interface Issued {
  credential_response: object
  verifiableCredentials: string[]
  responseJwt: string
}

export interface CredentialOrder {
  /** Number of the claim that it is for. */
  number: number
  domain: string
  userid: string
  did: string
  application: Application
}

/** Issues and keeps one; the caller holds the domain's row and keeps the answer. */
export async function issueCredential(deps: CredentialDeps, trx: Trx, order: CredentialOrder): Promise<Issued> {
  const { clock, sealer, config } = deps
  const { userid, did, domain, application } = order
  // Seconds, as its times are.
  const issuedAt = new Date(Math.floor(clock.now().getTime() / 1000) * 1000)
  const expiresAt = new Date(issuedAt.getTime() + lifetimeMs)
  const issuer = await ensureIssuer({ db: trx, sealer, now: issuedAt })
  const id = `urn:uuid:${randomUUID()}`
  const responseId = randomUUID()
  const { list, list_index } = await insertCredential(trx, {
    id,
    domain: order.number,
    userid,
    issuer: issuer.did,
    issued_at: issuedAt,
    expires_at: expiresAt,
    application_id: application.id,
    response_id: responseId,
  })
  const listUrl = statusListUrl(config, list)
  const credential = await signJws(
    {
      iss: issuer.did,
      sub: did,
      jti: id,
      nbf: issuedAt.getTime() / 1000,
      exp: expiresAt.getTime() / 1000,
      vc: {
        // The second one says what a BitstringStatusListEntry is: VCDM 1.1 does not, and others would pass it over.
        '@context': ['https://www.w3.org/2018/credentials/v1', 'https://www.w3.org/ns/credentials/status/v1'],
        id,
        type: ['VerifiableCredential'],
        issuer: issuer.did,
        issuanceDate: issuedAt.toISOString(),
        expirationDate: expiresAt.toISOString(),
        credentialSchema: { id: schemaUrl(config, 'domain-credential'), type: 'JsonSchema2023' },
        credentialSubject: { id: did, did, domain, owner: application.owner, cloudid: did },
        credentialStatus: {
          id: `${listUrl}#${list_index}`,
          type: 'BitstringStatusListEntry',
          statusPurpose: 'revocation',
          statusListIndex: String(list_index),
          statusListCredential: listUrl,
        },
      },
    },
    issuer,
    { typ: 'JWT' },
  )
  const response = credentialResponse(responseId, application.id)
  const verifiableCredentials = [credential]
  return {
    credential_response: response,
    verifiableCredentials,
    responseJwt: await signJws({ iss: issuer.did, credential_response: response, verifiableCredentials }, issuer),
  }
}
