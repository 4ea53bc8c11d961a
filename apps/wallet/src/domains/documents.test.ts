import { ApplicationPayload, PresentationPayload, SelfIssuedPayload } from '@atoll/contract/credentials'
import { JoinPayload } from '@atoll/contract/domains'
import { expect, it } from 'vitest'
import { applicationPayload, joinPayload, presentationPayload, selfIssuedPayload } from './documents.ts'

const did = 'did:key:z6MkvARmXmTXnwyJz9uXbzJjEVKVb9PegegGZMqiuQQCHzo2'
const kid = `${did}#${did.slice(8)}`
const definition = { id: 'definition', input_descriptors: [{ id: 'descriptor' }] }
const form = {
  manifest: { id: 'manifest', spec_version: 'v1', presentation_definition: definition },
  application_verifiable_credential: { id: 'https://atoll.test/schemas/domain-application' },
}
const application = { did, domain: 'cloud.lagoon.example', form, ids: { credential: 'c', application: 'a' }, now: 1000 }

it('applies as the contract reads it, for this identity and domain alone', () => {
  const inner = SelfIssuedPayload.parse(selfIssuedPayload(application))
  expect(inner.vc.credentialSubject).toEqual({ id: did, did, cloudid: did, owner: did, domain: 'cloud.lagoon.example' })
  const outer = ApplicationPayload.parse(applicationPayload(application, 'a.b.c'))
  expect(outer.credential_application).toMatchObject({
    applicant: did,
    manifest_id: 'manifest',
    presentation_submission: { definition_id: 'definition', descriptor_map: [{ id: 'descriptor' }] },
  })
})

it('presents to one audience, for ten minutes', () => {
  const ids = { presentation: 'p', submission: 's', nonce: 'n' }
  const payload = presentationPayload({
    did,
    kid,
    credential: 'a.b.c',
    form: definition,
    ids,
    aud: 'https://atoll.test',
    now: 1000,
  })
  expect(PresentationPayload.parse(payload)).toMatchObject({
    aud: 'https://atoll.test',
    nonce: 'n',
    iat: 1000,
    exp: 1600,
    vp: { holder: did, verifiableCredential: ['a.b.c'] },
  })
})

it('joins as the contract reads it', () => {
  const join = { did, kid, name: 'kai', password: 'p', domain: 'cloud.lagoon.example', now: 1000 }
  expect(JoinPayload.parse(joinPayload(join))).toMatchObject({ member_name: 'kai', member_password: 'p', iss: kid })
})
