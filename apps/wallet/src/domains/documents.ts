/**
 * Statements that this wallet signs for a custom domain (wire, "Credential service"): pure, so that the screen shows
 * the very fields that are signed. Times in seconds.
 */
import { z } from 'zod'

const Id = z.string().min(1).max(300)
const Definition = z.looseObject({ id: Id, input_descriptors: z.array(z.looseObject({ id: Id })).min(1) })

/** The part of the answer of `get_application_schema` that is sent back. */
export const ApplicationForm = z.looseObject({
  manifest: z.looseObject({ id: Id, spec_version: z.string().max(300), presentation_definition: Definition }),
  application_verifiable_credential: z.looseObject({ id: Id }),
})
export type ApplicationForm = z.infer<typeof ApplicationForm>
export const PresentationForm = Definition
export type PresentationForm = z.infer<typeof PresentationForm>

const context = ['https://www.w3.org/2018/credentials/v1']
const yearSeconds = 365 * 24 * 3600
const submission = (definition: PresentationForm, path: string) => ({
  definition_id: definition.id,
  descriptor_map: [{ id: definition.input_descriptors[0]?.id ?? '', format: 'jwt_vc', path }],
})

/** The applicant and the credential. `ids` are random UUIDs; `now`: s. */
export interface Application {
  did: string
  domain: string
  form: ApplicationForm
  ids: { credential: string; application: string }
  now: number
}

/** The credential that the applicant issues to themselves. */
export function selfIssuedPayload({ did, domain, form, ids, now }: Application) {
  return {
    iss: did,
    sub: did,
    jti: ids.credential,
    nbf: now,
    exp: now + yearSeconds,
    vc: {
      '@context': context,
      id: ids.credential,
      type: ['VerifiableCredential'],
      issuer: did,
      credentialSchema: { id: form.application_verifiable_credential.id, type: 'JsonSchema2023' },
      // No other address belongs to these words here.
      credentialSubject: { id: did, did, domain, owner: did, cloudid: did },
    },
  }
}

/** `selfIssued`: the above, signed. */
export function applicationPayload({ did, form, ids }: Application, selfIssued: string) {
  const { manifest } = form
  const path = '$.verifiableCredentials[0]'
  return {
    iss: did,
    credential_application: {
      id: ids.application,
      spec_version: manifest.spec_version,
      manifest_id: manifest.id,
      format: { jwt_vc: { alg: ['EdDSA'] } },
      applicant: did,
      presentation_submission: { id: 'psid', ...submission(manifest.presentation_definition, path) },
    },
    verifiableCredentials: [selfIssued],
  }
}

export interface Presentation {
  did: string
  /** `did#fragment`. */
  kid: string
  credential: string
  form: PresentationForm
  ids: { presentation: string; submission: string; nonce: string }
  /** Whom it is for: nobody else can use it. */
  aud: string
  now: number
}

export function presentationPayload({ did, kid, credential, form, ids, aud, now }: Presentation) {
  return {
    iss: kid,
    sub: did,
    aud,
    jti: ids.presentation,
    nonce: ids.nonce,
    iat: now,
    nbf: now,
    exp: now + 600,
    vp: {
      '@context': context,
      id: ids.presentation,
      type: ['VerifiablePresentation'],
      holder: did,
      presentation_submission: { id: ids.submission, ...submission(form, '$.verifiableCredential[0]') },
      verifiableCredential: [credential],
    },
  }
}

/** Joining an organization; without a password by the email of the account. */
export function joinPayload(join: {
  did: string
  kid: string
  name: string
  password: string
  domain: string
  now: number
}) {
  const { did, kid, name, password, domain, now } = join
  const member = { member_name: name, member_password: password, org_domain: domain }
  return { ...member, address: did, id: did, iss: kid, nbf: now, exp: now + 600 }
}
