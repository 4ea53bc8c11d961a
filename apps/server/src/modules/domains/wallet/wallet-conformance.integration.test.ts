/**
 * Conformance with other programs: LarePass's own core makes the payloads, and libraries of the W3C's data models read
 * our documents. Neither is modified here.
 */
import { randomUUID } from 'node:crypto'
import { submitDomainVP } from '@atoll/contract/domains'
import { createDidResolver, verifyJws } from '@atoll/did'
import core from '@bytetrade/core'
import { _checkCredential } from '@digitalbazaar/vc'
import { checkStatus, decodeList, getCredentialStatus } from '@digitalbazaar/vc-bitstring-status-list'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { verifyCredential, verifyPresentation } from 'did-jwt-vc'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDomain, restartDomain, setRule } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { createDomainHarness, type DomainHarness } from '../testing/domain-harness.ts'
import { requestCredential, submitPresentation } from './wallet-service.ts'

let harness: DomainHarness
const app = Fastify()
beforeAll(async () => {
  harness = await createDomainHarness()
  await app.register(harness.credentials.plugin)
})
afterAll(async () => {
  await app.close()
  await harness[Symbol.asyncDispose]()
})

const origin = 'https://atoll.test'
const locale = 'en-US'
let serial = 0
// Its version of the interface says less of a document's context, which ours has as plain addresses.
const resolver = createDidResolver() as Parameters<typeof verifyCredential>[1]
const form = async (path: string) => (await app.inject(path)).json().data
const now = () => harness.clock.now().getTime()

/** A wallet as LarePass is one: forms from the server, payloads from its core, the signature by its own key. */
async function larePass() {
  const { caller, wallet } = await harness.createWallet()
  serial += 1
  const domain = `cloud.conform${serial}.example`
  const added = await addDomain(harness.deps, caller, { domain, method: 'ns' })
  harness.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
  await harness.reconcile(added.id)
  const { did, kid } = wallet
  const header = { iss: did }

  async function application(): Promise<string> {
    const { manifest, application_verifiable_credential } = await form('/get_application_schema/Domain')
    const subject = { owner: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94', did, domain, cloudid: did }
    const vc = await core.createVerifiableCredential(did, application_verifiable_credential.id, subject)
    const nbf = Math.floor(now() / 1000) - 10
    const claims = { exp: nbf + 365 * 24 * 3600, iss: did, nbf, jti: vc.id, sub: did, vc }
    const { presentation_definition } = manifest
    const credential_application: core.CredentialApplication = {
      id: randomUUID(),
      spec_version: manifest.spec_version,
      manifest_id: manifest.id,
      format: { jwt_vc: { alg: [core.SignatureAlgorithm.EdDSA] } },
      applicant: did,
      presentation_submission: {
        id: 'psid',
        definition_id: presentation_definition.id,
        descriptor_map: [
          {
            id: presentation_definition.input_descriptors[0].id,
            format: 'jwt_vc',
            path: '$.verifiableCredentials[0]',
          },
        ],
      },
    }
    const payload: core.CredentialApplicationWrapper = {
      credential_application,
      iss: did,
      verifiableCredentials: [wallet.sign(claims, header)],
    }
    return wallet.sign(payload, header)
  }

  async function presentation(credential: string): Promise<string> {
    const { id, input_descriptors } = await form('/get_presentation_definition/Domain')
    const vp = await core.createVerifiablePresentation(did, id, credential, [
      { id: input_descriptors[0].id, format: 'jwt_vc', path: '$.verifiableCredential[0]' },
    ])
    return wallet.sign({ jti: vp.id, sub: vp.holder, iss: kid, nonce: randomUUID(), vp })
  }

  return {
    caller,
    wallet,
    domain,
    number: added.id,
    application,
    presentation,
    apply: async () => await requestCredential(harness.deps, caller, { domain, jws: await application(), locale }),
    statusOf: async () => (await findOwnDomain(harness.db, caller.userid, domain))?.status,
  }
}

/** A credential as an object of its data model: verifiers put the claims of the JWT back (VCDM 1.1, 6.3.1). */
const dataOf = async (jws: string) =>
  (await verifyCredential(jws, resolver, { policies: { now: Math.floor(now() / 1000) } })).verifiableCredential

async function readList(url: string): Promise<object> {
  const { header, payload } = await verifyJws((await app.inject(url.slice(origin.length))).body)
  expect(header.typ).toBe('vc+jwt')
  return payload
}

describe("with payloads of the wallet's core", () => {
  test('an older wallet applies, then presents', async () => {
    const owner = await larePass()
    const issued = await owner.apply()
    expect(await owner.statusOf()).toBe('WAIT_SUBMIT_VP')
    // An app that was closed in between has its card from the domain.
    const row = await findOwnDomain(harness.db, owner.caller.userid, owner.domain)
    const [kept] = JSON.parse(row?.full_string ?? '{}').verifiableCredentials
    expect(kept).toBe(issued.verifiableCredentials[0])
    const request = { domain: owner.domain, jws: await owner.presentation(kept), locale } as const
    const answer = await submitPresentation(harness.deps, owner.caller, request)
    expect(submitDomainVP.data.parse(answer)).toEqual({ status: 'approved', reason: '' })
    await setRule(harness.deps, owner.caller, {
      domain: owner.domain,
      ruleType: 'specified_email_address',
      ruleData: '',
    })
    await harness.reconcile(owner.number)
    expect(await owner.statusOf()).toBe('BIND')
  })

  test('a newer wallet applies and presents in one go, with the name that it takes', async () => {
    const owner = await larePass()
    const [credential = ''] = (await owner.apply()).verifiableCredentials
    const { domain } = owner
    const sent = { domain, jws: await owner.presentation(credential), admin_olares_id: 'lena' }
    const { admin_olares_id: adminName, ...request } = submitDomainVP.body.parse(sent)
    const answer = await submitPresentation(harness.deps, owner.caller, { ...request, locale, adminName })
    expect(answer).toEqual({ status: 'approved', reason: '', adminOlaresId: `lena@${domain}` })
    await harness.reconcile(owner.number)
    expect(await owner.statusOf()).toBe('ALLOCATED')
    expect(await harness.identity.findNameOfDid(harness.db, owner.wallet.did)).toBe(`lena@${domain}`)
  })
})

describe('others read', () => {
  test('the credential: its signature, its times and its shape, and that it was not changed', async () => {
    const owner = await larePass()
    const [jws = ''] = (await owner.apply()).verifiableCredentials
    const data = await dataOf(jws)
    expect(data).toMatchObject({
      type: ['VerifiableCredential'],
      credentialSubject: { id: owner.wallet.did, domain: owner.domain },
      issuer: { id: (await verifyJws(jws)).did },
    })
    const { payload } = await verifyJws(jws)
    const times = [payload['nbf'], payload['exp']].map((at) => new Date(Number(at) * 1000).toJSON())
    expect([data.issuanceDate, data.expirationDate].map((at) => new Date(String(at)).toJSON())).toEqual(times)

    const at = (seconds: number) =>
      verifyCredential(jws, resolver, { policies: { now: Number(payload['nbf']) + seconds } })
    await expect(at(366 * 24 * 3600)).rejects.toThrow(/expired/)
    await expect(at(-3600)).rejects.toThrow(/before/)
    const [head, , signature] = jws.split('.')
    const forged = { ...payload, vc: { ...Object(payload['vc']), credentialSubject: { domain: 'other.example' } } }
    const body = Buffer.from(JSON.stringify(forged)).toString('base64url')
    await expect(dataOf(`${head}.${body}.${signature}`)).rejects.toThrow(/signature/)
  })

  test("the wallet's presentation of it, as we do", async () => {
    const owner = await larePass()
    const [jws = ''] = (await owner.apply()).verifiableCredentials
    const presentation = await owner.presentation(jws)
    const seen = await verifyPresentation(presentation, resolver, {
      policies: { now: Math.floor(now() / 1000) },
    })
    expect(seen.verifiablePresentation).toMatchObject({
      // As a wallet signs: with the id of its key.
      holder: owner.wallet.kid,
      verifiableCredential: [{ credentialSubject: { domain: owner.domain } }],
    })
  })

  test('the credential as VCDM 1.1 and its list as VCDM 2.0, and there that it was revoked', async () => {
    const owner = await larePass()
    const [jws = ''] = (await owner.apply()).verifiableCredentials
    const credential = await dataOf(jws)
    _checkCredential({ credential, now: harness.clock.now() })
    const { statusListCredential, statusListIndex } = Object(credential.credentialStatus)
    const list = await readList(statusListCredential)
    _checkCredential({ credential: list, now: harness.clock.now() })
    const { encodedList } = (list as { credentialSubject: { encodedList: string } }).credentialSubject
    const bits = await decodeList({ encodedList })
    expect(bits.length).toBeGreaterThanOrEqual(131_072)
    expect(bits.getStatus(Number(statusListIndex))).toBe(false)

    const status = getCredentialStatus({ credential, statusPurpose: 'revocation' })
    const check = () =>
      checkStatus({
        credential: { ...credential, issuer: credential.issuer.id },
        documentLoader: async (url) => ({ document: await readList(url) }),
        verifyBitstringStatusListCredential: false,
      })
    expect(await check()).toEqual({
      verified: true,
      results: [{ verified: true, credentialStatus: status, status: false }],
    })
    await restartDomain(harness.deps, owner.caller, owner.domain)
    expect(await check()).toMatchObject({ verified: true, results: [{ status: true }] })
  })

  test('the schemas, by which the credential holds and one without a domain does not', async () => {
    const owner = await larePass()
    const [jws = ''] = (await owner.apply()).verifiableCredentials
    const { application_verifiable_credential } = await form('/get_application_schema/Domain')
    const credential = await dataOf(jws)
    const { id: issuedBy } = Object(credential.credentialSchema)
    for (const id of [issuedBy, application_verifiable_credential.id]) {
      const holds = new Ajv2020().compile((await app.inject(String(id).slice(origin.length))).json())
      expect(holds(credential)).toBe(true)
      const { domain: _, ...others } = Object(credential.credentialSubject)
      expect(holds({ ...credential, credentialSubject: others })).toBe(false)
    }
  })
})
