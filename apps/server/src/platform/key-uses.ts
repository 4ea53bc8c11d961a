/**
 * All uses of the deployment's secret key. The sealer accepts no other name, so that every use is known when the
 * operator replaces the key: `atollctl rotate-key` moves each of these in its own way.
 */

/** Texts that are encrypted under the key and decrypted later. */
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
  'archive of erased accounts',
] as const
export type SealedUse = (typeof sealedUses)[number]

/**
 * Values that are derived from the key, never decrypted, only derived again and compared. Each is a part of its label.
 */
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
