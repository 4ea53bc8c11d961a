/** Owners with a wallet and a domain that points here, and what they send. Call it in a file or a `describe`. */
import { gunzipSync } from 'node:zlib'
import { verifyJws } from '@atoll/did'
import type { ScriptedWallet } from '@atoll/testkit'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Caller } from '../../../platform/caller.ts'
import { addDomain } from '../claims/domain-service.ts'
import { findOwnDomain } from '../records/domain-store.ts'
import { requestCredential, submitPresentation } from '../wallet/wallet-service.ts'
import { createDomainHarness, type DomainHarness } from './domain-harness.ts'
import { createDocuments } from './wallet-documents.ts'

export const origin = 'https://atoll.test'
export const locale = 'en-US'

export interface WalletOwner {
  caller: Caller
  wallet: ScriptedWallet
  domain: string
  number: number
  documents: ReturnType<typeof createDocuments>
}

export function useWallets() {
  let harness: DomainHarness
  let serial = 0
  const app = Fastify()
  beforeAll(async () => {
    harness = await createDomainHarness()
    await app.register(harness.credentials.plugin)
  })
  afterAll(async () => {
    await app.close()
    await harness[Symbol.asyncDispose]()
  })

  /** A domain that points here, and the wallet of its owner, a new one unless told. */
  async function delegated(of?: Pick<WalletOwner, 'caller' | 'wallet'>): Promise<WalletOwner> {
    const { caller, wallet } = of ?? (await harness.createWallet())
    serial += 1
    const domain = `cloud.wallet${serial}.example`
    const added = await addDomain(harness.deps, caller, { domain, method: 'ns' })
    harness.dns.records.add(`TXT ${added.txt?.value}`).add(`NS ${domain}`)
    await harness.reconcile(added.id)
    const documents = createDocuments(wallet, origin, harness.clock.now().getTime())
    return { caller, wallet, domain, number: added.id, documents }
  }
  const statusOf = async ({ caller, domain }: WalletOwner) =>
    (await findOwnDomain(harness.db, caller.userid, domain))?.status
  const apply = ({ caller, domain }: WalletOwner, jws: string) =>
    requestCredential(harness.deps, caller, { domain, jws, locale })
  const present = ({ caller, domain }: WalletOwner, jws: string, adminName?: string) =>
    submitPresentation(harness.deps, caller, { domain, jws, locale, adminName })
  async function applied(): Promise<WalletOwner & { credential: string }> {
    const owner = await delegated()
    const { verifiableCredentials } = await apply(owner, owner.documents.application(owner.domain))
    return { ...owner, credential: verifiableCredentials[0] ?? '' }
  }
  /** Whether the list of revoked credentials, which its issuer signed, names this one. */
  async function bitOf(credential: string): Promise<boolean> {
    const { payload, did } = await verifyJws(credential)
    const vc = payload['vc'] as { credentialStatus: { statusListCredential: string; statusListIndex: string } }
    const { statusListCredential, statusListIndex } = vc.credentialStatus
    const answer = await app.inject(statusListCredential.slice(origin.length))
    const list = await verifyJws(answer.body, { did })
    const subject = list.payload['credentialSubject'] as { encodedList: string }
    const bytes = gunzipSync(Buffer.from(subject.encodedList.slice(1), 'base64url'))
    expect([list.header.typ, bytes.length]).toEqual(['vc+jwt', 16_384])
    const index = Number(statusListIndex)
    return ((bytes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0
  }
  return { harness: () => harness, app, delegated, applied, statusOf, apply, present, bitOf }
}

/** The same payload, signed by `wallet` under another header. */
const signAgain = (jws: string, wallet: ScriptedWallet, header: object) =>
  wallet.sign(JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()), header)

/** Variants of `jws` without a valid signature of the wallet that they name, each with its refusal. */
export function forge(jws: string, { wallet }: WalletOwner, other: ScriptedWallet): [string, string][] {
  const by = { kid: wallet.kid, iss: wallet.did }
  const none = signAgain(jws, wallet, { ...by, alg: 'none' })
  return [
    [signAgain(jws, other, by), 'jwsSignature'],
    [none, 'jwsAlgorithm'],
    [none.slice(0, none.lastIndexOf('.') + 1), 'jwsAlgorithm'],
    [signAgain(jws, wallet, { ...by, alg: 'HS256' }), 'jwsAlgorithm'],
    [`${jws.slice(0, jws.lastIndexOf('.'))}.AAAA`, 'jwsSignature'],
  ]
}
