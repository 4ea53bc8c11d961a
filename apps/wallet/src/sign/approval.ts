/** Facts that a person must know before approving, computed from the request and nothing else. Pure. */
import type { SignRequest } from '@atoll/contract/identity'
import { ownBrowserCodeLifetimeMs, signInCodeLifetimeMs } from '@atoll/contract/wire'
import { didOfKeyId } from '@atoll/did'
import type { WalletIdentity } from '../keys/keychain.ts'

export type SignEvent = SignRequest['event']

export interface Approval {
  event: SignEvent
  /** Host and port that receive the signature. */
  host: string
  /** The signature would travel unencrypted to another machine. */
  insecure: boolean
  /** A sign-in outside this wallet's own deployment: the receiver of the signature could use it here. */
  foreign: boolean
  /** When the code was made and until when it is good, ms on the server's clock. */
  madeAt: number
  validUntil: number
  /** The identity the code asks for; undefined: any. */
  askedDid: string | undefined
  /** The identity that signs; undefined: this wallet does not hold the one asked for. */
  signer: WalletIdentity | undefined
}

interface Holder {
  identities: readonly WalletIdentity[]
  defaultDid: string | null
}

/**
 * `own`: the origins at which this wallet signs in. `chosenDid` is the person's own choice; a code that asks for
 * somebody overrides it.
 */
export function describeApproval(
  request: SignRequest,
  holder: Holder,
  own: readonly string[],
  chosenDid?: string,
): Approval {
  const { callback_url, sign_body } = request.message.sign
  const { host, hostname, protocol, origin } = new URL(callback_url)
  // Signed as it stands; to be compared, without the fragment some codes carry.
  const askedDid = sign_body.did === undefined ? undefined : didOfKeyId(sign_body.did)
  const did = askedDid ?? chosenDid ?? holder.defaultDid
  return {
    event: request.event,
    host,
    insecure: protocol === 'http:' && !isThisMachine(hostname),
    foreign: request.event === 'login_cloud' && !own.includes(origin),
    madeAt: sign_body.time,
    validUntil: sign_body.time + signInCodeLifetimeMs,
    askedDid,
    signer: holder.identities.find((identity) => identity.did === did),
  }
}

/** Names browsers resolve to the loopback interface themselves. */
function isThisMachine(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || /^127\./.test(hostname) || hostname === '[::1]'
}

/** The same while its code may be on a page of this very browser, where a newcomer sets this wallet up first. */
export function inOwnBrowser(approval: Approval): Approval {
  return { ...approval, validUntil: approval.madeAt + ownBrowserCodeLifetimeMs }
}

/** `now` in ms by the server's clock. */
export function isExpired(approval: Approval, now: number): boolean {
  return now >= approval.validUntil
}
