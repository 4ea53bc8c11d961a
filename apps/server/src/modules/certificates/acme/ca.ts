/** A certification authority as the reconciler sees it (RFC 8555). `acme-ca.ts` asks a real one. */

export type ChallengeKind = 'dns-01' | 'http-01'

/** One name that the authority wants proven. */
export interface Authorization {
  /** Without "*.". */
  host: string
  status: 'pending' | 'valid' | 'invalid'
  /** Of the kind that was asked for; undefined where the authority offers none. */
  challenge?: { url: string; token: string; answer: string; isAnswered: boolean } | undefined
  /** The authority's error about the challenge that failed. */
  error?: string | undefined
  /** A CAA record forbids it to issue. */
  isForbidden?: boolean | undefined
}

export interface CaOrder {
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid'
  authorizations: Authorization[]
  error?: string | undefined
}

/**
 * `caUnreachable`: nothing came, or what came was no answer. `caaForbids`: it saw a CAA record that forbids it to
 * issue. `orderGone`: it knows nothing of that order.
 */
export const caFaults = ['caUnreachable', 'caLimited', 'caRefused', 'caaForbids', 'orderGone'] as const
export type CaFaultKind = (typeof caFaults)[number]

export class CaFault extends Error {
  override name = 'CaFault'
  readonly kind: CaFaultKind
  /** How long the authority wants to be left alone, ms. */
  readonly retryAfterMs: number | undefined
  /** The authority has forgotten our account, and its orders with it. */
  readonly isAccountGone: boolean
  constructor(
    kind: CaFaultKind,
    message: string,
    retryAfterMs?: number,
    { isAccountGone = false, ...options }: ErrorOptions & { isAccountGone?: boolean } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.isAccountGone = isAccountGone
  }
}

/**
 * By its name, not its class: a fault is made by an interceptor of the HTTP library, which lives as long as the process
 * and so longer than this module does in tests.
 */
export function isCaFault(error: unknown): error is CaFault {
  return error instanceof Error && error.name === 'CaFault'
}

/** When the authority suggests to renew a certificate (RFC 9773, 4.2). */
export interface RenewalWindow {
  start: Date
  end: Date
  /** How long its answer is good for, ms. */
  retryAfterMs: number | undefined
}

/** Every function rejects with a `CaFault`. */
export interface Ca {
  /** The address of our account; undefined until the first order. */
  findAccount(): Promise<string | undefined>
  /** Gives where the order is. `replaces`: the chain (PEM) of the certificate that it renews. */
  order(names: readonly string[], replaces?: string): Promise<string>
  /** For the chain (PEM) of what it issued; undefined: it suggests nothing. */
  renewalOf(chain: string): Promise<RenewalWindow | undefined>
  read(url: string, kind: ChallengeKind): Promise<CaOrder>
  /** Says that the challenge can be validated. Safe to repeat. */
  answer(challengeUrl: string): Promise<void>
  /** Has the certificate made with this key (PEM). */
  finalize(url: string, names: readonly string[], key: string): Promise<void>
  /** The chain (PEM) of an order that is valid. */
  download(url: string): Promise<string>
}
