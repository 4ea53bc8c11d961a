/**
 * The statements that a wallet signs to get the credential of a custom domain and to present it (wire, "Credential
 * service").
 */
import { z } from 'zod'
import { CompactJws } from '../wire/fields.ts'

const Id = z.string().min(1).max(300)
const Person = z.string().min(1).max(256)
/** Where the submission stands: exactly there, no path language is read. */
const submissionAt = <const Path extends string>(path: Path) =>
  z.looseObject({
    definition_id: Id,
    descriptor_map: z.array(z.looseObject({ id: Id, format: z.literal('jwt_vc'), path: z.literal(path) })).length(1),
  })

/** Payload of the application. */
export const ApplicationPayload = z.looseObject({
  credential_application: z.looseObject({
    id: Id,
    manifest_id: Id,
    applicant: Person,
    presentation_submission: submissionAt('$.verifiableCredentials[0]'),
  }),
  verifiableCredentials: z.array(CompactJws).length(1),
})

/** Payload of the credential inside, which the applicant issued. Times in seconds. */
export const SelfIssuedPayload = z.looseObject({
  nbf: z.number().optional(),
  exp: z.number().optional(),
  vc: z.looseObject({
    credentialSchema: z.looseObject({ id: Id }),
    credentialSubject: z.looseObject({
      id: Person,
      did: Person,
      domain: z.string().max(300),
      cloudid: Person,
      /** An address that the words give too; nothing proves it. */
      owner: z.string().max(256),
    }),
  }),
})

/** Payload of the presentation. Times in seconds. */
export const PresentationPayload = z.looseObject({
  sub: Person.optional(),
  nonce: z.string().min(1).max(200),
  aud: z.union([z.string().max(500), z.array(z.string().max(500)).max(10)]).optional(),
  nbf: z.number().optional(),
  exp: z.number().optional(),
  iat: z.number().optional(),
  vp: z.looseObject({
    holder: Person,
    presentation_submission: submissionAt('$.verifiableCredential[0]'),
    verifiableCredential: z.array(CompactJws).length(1),
  }),
})
