import type { SignedIn } from '@atoll/contract/accounts'
import {
  type DomainDetail,
  type DomainTransfer,
  domainDetail,
  domainList,
  domainRuleSet,
  domainTransferAccept,
  domainTransferSign,
  type RuleType,
  requestDomainVC,
  submitDomainVP,
} from '@atoll/contract/domains'
import type { JwsPayload } from '@atoll/did'
import { useCallback, useEffect, useState } from 'react'
import type { Outcome } from '../api/identity-service.ts'
import { bindName } from '../api/identity-service.ts'
import { identityHostName } from '../api/runtime-config.ts'
import { recordSignature, type SignatureKind } from '../history/signature-log.ts'
import { keychain } from '../keys/use-keychain.ts'
import { keepCredential } from './credential-store.ts'
import { type Application, applicationPayload, type presentationPayload, selfIssuedPayload } from './documents.ts'
import { askAs, type Linking, linkWallet } from './domain-service.ts'

/** Statuses that change without a press here. */
const pollMs = 3000

/** The obstacle of the last press; `message` empty: no reason is known. */
export type Obstacle = { kind: 'refused'; message: string } | { kind: 'unreachable' } | { kind: 'failed' }

/** The rule for joining; `ruleData`: suffixes separated by commas. */
export interface Rule {
  ruleType: RuleType
  ruleData: string
}

/** The statement that is signed to hand a domain over. */
export interface TransferDocuments extends JwsPayload {
  transfer: string
  domain: string
  to: string
  time: number
}

/** A domain of `did`, from linking this wallet to the ID under it. */
export function useDomain(domain: string, did: string) {
  const [session, setSession] = useState<SignedIn>()
  const [detail, setDetail] = useState<DomainDetail>()
  /** Somebody else's domain that is handed on to this identity. */
  const [offer, setOffer] = useState<DomainTransfer>()
  const [busy, setBusy] = useState(false)
  const [obstacle, setObstacle] = useState<Obstacle>()

  const take = useCallback(<T>(outcome: Outcome<T>): T | undefined => {
    if (outcome.kind === 'ok') return outcome.data
    setObstacle(outcome)
    return undefined
  }, [])
  const load = useCallback(
    async (as: SignedIn) => {
      const outcome = await askAs(as, domainDetail, { domain })
      if (outcome.kind === 'ok') {
        setDetail(outcome.data)
        setOffer(undefined)
      }
      if (outcome.kind !== 'refused') return outcome
      // Of somebody else: it may be offered.
      const list = await askAs(as, domainList, {})
      const offered = list.kind === 'ok' ? list.data.offers.find((one) => one.domain === domain) : undefined
      setOffer(offered)
      return offered ? ({ kind: 'ok', data: undefined } as const) : outcome
    },
    [domain],
  )
  const status = detail?.status
  useEffect(() => {
    const isWaiting = offer ? !offer.isSigned : status !== undefined && status !== 'ALLOCATED'
    if (!session || !isWaiting) return
    const timer = setInterval(() => void load(session), pollMs)
    return () => clearInterval(timer)
  }, [session, status, offer, load])

  /** One press at a time; a failure to sign is shown without its error, which may come from code that held a key. */
  const press = async (work: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    setObstacle(undefined)
    try {
      await work()
    } catch {
      setObstacle({ kind: 'failed' })
    } finally {
      setBusy(false)
    }
  }
  const record = (kind: SignatureKind) =>
    recordSignature(localStorage, { at: Date.now(), kind, host: identityHostName(), did })

  return {
    session,
    detail,
    offer,
    busy,
    obstacle,
    link: (linking: Linking) =>
      press(async () => {
        const linked = take(await linkWallet(keychain, did, linking))
        if (!linked) return
        record('signedIn')
        take<unknown>(await load(linked))
        setSession(linked)
      }),
    handOn: (documents: TransferDocuments) =>
      press(async () => {
        if (!session) return
        const jws = await keychain.sign(did, documents)
        if (!take(await askAs(session, domainTransferSign, { domain, jws }))) return
        record('handedOn')
        await load(session)
      }),
    /** Applies for the credential: of one's own domain, or of one that is taken over. */
    apply: (application: Application) =>
      press(async () => {
        if (!session) return
        const header = { iss: did }
        const inner = await keychain.sign(did, selfIssuedPayload(application), header)
        const jws = await keychain.sign(did, applicationPayload(application, inner), header)
        const issued = take(await askAs(session, offer ? domainTransferAccept : requestDomainVC, { domain, jws }))
        const [credential] = issued?.verifiableCredentials ?? []
        if (credential === undefined) return
        record('applied')
        keepCredential(localStorage, { domain, did, jws: credential, at: Date.now() })
        await load(session)
      }),
    present: (payload: ReturnType<typeof presentationPayload>) =>
      press(async () => {
        if (!session) return
        const jws = await keychain.sign(did, payload)
        const answer = take(await askAs(session, submitDomainVP, { domain, jws }))
        if (answer?.status === 'denied') return setObstacle({ kind: 'refused', message: answer.reason })
        if (!answer) return
        record('presented')
        await load(session)
      }),
    rule: (rule: Rule) =>
      press(async () => {
        if (!session) return
        if (take(await askAs(session, domainRuleSet, { domain, ...rule }))) await load(session)
      }),
    /** `time`: ms, as it was shown. */
    takeName: (local: string, time: number) =>
      press(async () => {
        if (!session) return
        const outcome = await bindName(keychain, did, `${local}@${domain}`, time)
        if (outcome.kind !== 'ok') return setObstacle(outcome)
        record('bound')
        await load(session)
      }),
  }
}
