/**
 * The status machine of custom domains: the one place that decides a status (spec §4; design/domains, "Steps").
 *
 * States   the eight steps of spec §4, in their order. None is an end: a domain ends by being removed, which is no
 *          status (`desired`), and is possible at each of them.
 * Writers  the calls (acts of a person or their wallet) and lifecycle/job.ts (observations in DNS), both through
 *          `nextStatus` and inside a transaction that holds the domain's row.
 * Repeats  pure. An event that is repeated is refused the second time, as the status has moved on: the reconciler takes
 *          that as "somebody was faster", a call returns its earlier answer.
 */
import type { DomainStatus } from '@atoll/contract/domains'

/** Observations in DNS, then acts of wallets and people. */
export const domainEvents = [
  'proved',
  'delegated',
  'serving',
  'servingNamed',
  'issued',
  'approved',
  'approvedNamed',
  'ruled',
  'named',
  'switched',
  'restarted',
  'restartedProven',
] as const
export type DomainEvent = (typeof domainEvents)[number]

type Row = { readonly [E in DomainEvent]?: DomainStatus }

/** Proven, and not yet served: the owner can start over. */
const startOver = { restarted: 'WAIT_TXT', restartedProven: 'WAIT_NS' } as const satisfies Row

/** An absent cell is a refusal. */
export const transitions: { readonly [S in DomainStatus]: Row } = {
  WAIT_TXT: { proved: 'WAIT_NS' },
  WAIT_NS: { ...startOver, delegated: 'WAIT_REQUEST_VC', switched: 'WAIT_NS' },
  WAIT_REQUEST_VC: { ...startOver, issued: 'WAIT_SUBMIT_VP' },
  WAIT_SUBMIT_VP: { ...startOver, approved: 'WAIT_RULE_SET', approvedNamed: 'BINDING' },
  WAIT_RULE_SET: { ...startOver, ruled: 'BINDING' },
  BINDING: { serving: 'BIND', servingNamed: 'ALLOCATED', ruled: 'BINDING' },
  BIND: { named: 'ALLOCATED', ruled: 'BIND', switched: 'BIND' },
  ALLOCATED: { ruled: 'ALLOCATED', switched: 'ALLOCATED' },
}

/** The status after `event`; undefined when `status` does not accept it. */
export function nextStatus(status: DomainStatus, event: DomainEvent): DomainStatus | undefined {
  return transitions[status][event]
}

/** The TXT record was seen: the name is this claim's alone. */
export function isProven(status: DomainStatus): boolean {
  return status !== 'WAIT_TXT'
}

/** All was done that a person does: its zone and certificates are set up. */
export function isBound(status: DomainStatus): boolean {
  return status === 'BINDING' || isFinished(status)
}

/**
 * Linked: another one's proof takes nothing at once, the owner is asked first; it no longer counts against the claims
 * that an account may have open.
 */
export function isFinished(status: DomainStatus): boolean {
  return status === 'BIND' || status === 'ALLOCATED'
}
