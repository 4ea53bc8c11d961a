/**
 * Requirements for an applicant and for a holder, as documents of our own wallet protocol (wire, "Credential service";
 * DIF Credential Manifest and Presentation Exchange). Their ids never change: wallets send them back.
 */

const specVersion = 'https://identity.foundation/credential-manifest/spec/v1.0.0/'
const format = { jwt_vc: { alg: ['EdDSA'] } } as const
const subjectFields = ['id', 'did', 'domain', 'owner', 'cloudid'] as const

export const manifestId = 'domain-manifest'
export const applicationDefinitionId = 'domain-application-definition'
export const applicationDescriptorId = 'domain-application'
export const presentationDefinitionId = 'domain-presentation-definition'
export const presentationDescriptorId = 'domain-credential'
export const schemaNames = ['domain-application', 'domain-credential'] as const
export type SchemaName = (typeof schemaNames)[number]

export interface Addresses {
  publicUrl: string
  product: string
}

export function schemaUrl({ publicUrl }: Pick<Addresses, 'publicUrl'>, name: SchemaName): string {
  return `${publicUrl}/schemas/${name}`
}

/** JSON Schema of the subject; both kinds of credential carry the same. */
export function schemaOf(addresses: Pick<Addresses, 'publicUrl'>, name: SchemaName): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: schemaUrl(addresses, name),
    title: name === 'domain-application' ? 'Application for a domain' : 'Domain',
    type: 'object',
    properties: {
      credentialSubject: {
        type: 'object',
        properties: Object.fromEntries(subjectFields.map((field) => [field, { type: 'string' }])),
        required: [...subjectFields],
      },
    },
    required: ['credentialSubject'],
  }
}

function definition(id: string, descriptor: string, schema: string): object {
  const paths = (field: string) => [`$.credentialSubject.${field}`, `$.vc.credentialSubject.${field}`]
  return {
    id,
    name: 'Domain',
    purpose: 'Says whose domain it is.',
    format,
    input_descriptors: [
      {
        id: descriptor,
        name: 'Domain',
        purpose: 'Says whose domain it is.',
        format,
        constraints: {
          fields: [
            { path: ['$.credentialSchema.id', '$.vc.credentialSchema.id'], filter: { type: 'string', const: schema } },
            ...['did', 'domain', 'cloudid'].map((field) => ({ path: paths(field), filter: { type: 'string' } })),
          ],
        },
      },
    ],
  }
}

/** The required content of a holder's presentation. */
export function presentationDefinition(addresses: Addresses): object {
  return definition(presentationDefinitionId, presentationDescriptorId, schemaUrl(addresses, 'domain-credential'))
}

/** The required content of an application, and the schema of the credential inside. */
export function applicationSchema(addresses: Addresses, issuer: string): object {
  const schema = schemaUrl(addresses, 'domain-application')
  return {
    manifest: {
      id: manifestId,
      spec_version: specVersion,
      name: 'Domain',
      description: 'Says whose domain it is.',
      issuer: { id: issuer, name: addresses.product },
      format,
      output_descriptors: [
        { id: presentationDescriptorId, name: 'Domain', schema: schemaUrl(addresses, 'domain-credential') },
      ],
      presentation_definition: definition(applicationDefinitionId, applicationDescriptorId, schema),
    },
    application_verifiable_credential: {
      id: schema,
      type: 'JsonSchema2023',
      schema: schemaOf(addresses, 'domain-application'),
    },
  }
}

/** The answer to an application that was granted. */
export function credentialResponse(id: string, applicationId: string): object {
  return {
    id,
    spec_version: specVersion,
    manifest_id: manifestId,
    application_id: applicationId,
    fulfillment: {
      descriptor_map: [{ id: presentationDescriptorId, format: 'jwt_vc', path: '$.verifiableCredentials[0]' }],
    },
  }
}
