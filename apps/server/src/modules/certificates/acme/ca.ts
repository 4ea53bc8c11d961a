/** A certification authority as the reconciler sees it (RFC 8555). `acme-ca.ts` asks a real one. */

export type ChallengeKind = 'dns-01' | 'http-01'

/** One name that the authority wants proven. */
export interface Authorization {
  /** Without "*.". */
  host: string
  status: 'pending' | 'valid' | 'invalid'
  /** Of the kind that was asked for; undefined where the authority offers none. */
  challenge?: { url: string; token: string; answer: string; isAnswered: boolean } | undefined
  /** What the authority said of the challenge that failed. */
  error?: string | undefined
}

export interface CaOrder {
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  authorizations: Authorization[]
  error?: string | undefined
}

/** `caUnreachable`: nothing came, or what came was no answer. `orderGone`: it knows nothing of that order. */
export const caFaults = ['caUnreachable', 'caLimited', 'caRefused', 'orderGone'] as const
export type CaFaultKind = (typeof caFaults)[number]

export class CaFault extends Error {
  override name = 'CaFault'
  readonly kind: CaFaultKind
  /** How long the authority wants to be left alone, ms. */
  readonly retryAfterMs: number | undefined
  constructor(kind: CaFaultKind, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** Every function rejects with a `CaFault`. */
export interface Ca {
  /** Gives where the order is. */
  order(names: readonly string[]): Promise<string>
  read(url: string, kind: ChallengeKind): Promise<CaOrder>
  /** Says that the challenge can be validated. Safe to repeat. */
  answer(challengeUrl: string): Promise<void>
  /** Has the certificate made with this key (PEM). */
  finalize(url: string, names: readonly string[], key: string): Promise<void>
  /** The chain (PEM) of an order that is valid. */
  download(url: string): Promise<string>
}
