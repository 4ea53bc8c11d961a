import { randomUUID } from 'node:crypto'
import type { ScriptedWallet } from '@atoll/testkit'

/** The documents that LarePass signs for a domain, in its formats (wire, "Domains: what wallets do"). `now`: ms. */
export function createDocuments(wallet: ScriptedWallet, origin: string, now: number) {
  const { did, kid } = wallet
  const seconds = Math.floor(now / 1000)
  const header = { iss: did }

  /** The credential that the applicant issues. */
  function selfIssued(subject: object, claims: object = {}): string {
    const id = randomUUID()
    const times = { nbf: seconds - 10, exp: seconds + 365 * 24 * 3600 }
    const vc = {
      '@context': ['https://www.w3.org/2018/credentials/v1'],
      id,
      type: ['VerifiableCredential'],
      issuer: did,
      credentialSchema: { id: `${origin}/schemas/domain-application`, type: 'JsonSchema2023' },
      credentialSubject: { owner: '0x00', did, cloudid: did, id: did, ...subject },
    }
    return wallet.sign({ ...times, iss: did, jti: id, sub: did, vc, ...claims }, header)
  }

  return {
    selfIssued,
    application(domain: string, { subject = {}, application = {}, inner }: Documents = {}): string {
      const verifiableCredentials = inner ?? [selfIssued({ domain, ...subject })]
      const descriptor_map = [{ id: 'domain-application', format: 'jwt_vc', path: '$.verifiableCredentials[0]' }]
      const credential_application = {
        id: randomUUID(),
        spec_version: 'https://identity.foundation/credential-manifest/spec/v1.0.0/',
        manifest_id: 'domain-manifest',
        format: { jwt_vc: { alg: ['EdDSA'] } },
        applicant: did,
        presentation_submission: { id: 'psid', definition_id: 'domain-application-definition', descriptor_map },
        ...application,
      }
      return wallet.sign({ credential_application, iss: did, verifiableCredentials }, header)
    },
    presentation(credentials: readonly string[], claims: object = {}, vpClaims: object = {}): string {
      const descriptor_map = [{ id: 'domain-credential', format: 'jwt_vc', path: '$.verifiableCredential[0]' }]
      const vp = {
        '@context': ['https://www.w3.org/2018/credentials/v1'],
        id: randomUUID(),
        type: ['VerifiablePresentation'],
        holder: did,
        presentation_submission: { id: randomUUID(), definition_id: 'domain-presentation-definition', descriptor_map },
        verifiableCredential: credentials,
        ...vpClaims,
      }
      return wallet.sign({ jti: vp.id, sub: did, iss: kid, nonce: randomUUID(), vp, ...claims })
    },
  }
}

interface Documents {
  subject?: object
  application?: object
  inner?: readonly string[]
}
