/**
 * All that is made with the deployment's secret key. The sealer takes no other name, so that what is added here is known
 * to whoever gives the deployment another key: `atollctl rotate-key` moves each of these, in its own way.
 */

/** What is encrypted under the key, to be read again. */
export const sealedUses = [
  'mail parameters',
  'unsubscribe link',
  'task parameters',
  "instance's first password",
  'tunnel token',
  'certificate key',
  'key at the authority',
  'key of credentials',
  'seed of statements',
] as const
export type SealedUse = (typeof sealedUses)[number]

/** What is computed from the key and never read again, only made once more and compared. Each is a part of its label. */
export const derivedUses = [
  'agent enrolment',
  'enrol command',
  'frp',
  'one-time password',
  'email code',
  'estimate',
  'refund estimate',
  'card page',
  'sandbox card',
  'sandbox confirm',
  'sandbox webhooks',
  'sandbox card numbers',
  'plan file',
  'zones at PowerDNS',
  'edge to edge',
  'statement key',
  'audit',
  'audit records',
  'ledger',
  'mark of the deployment key',
] as const
export type DerivedUse = (typeof derivedUses)[number]
