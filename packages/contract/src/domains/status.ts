/** The steps of a custom domain (spec §4), the ways of pointing it here, and what may be done with it. */

/** In the order in which they are taken. */
export const domainStatuses = [
  'WAIT_TXT',
  'WAIT_NS',
  'WAIT_REQUEST_VC',
  'WAIT_SUBMIT_VP',
  'WAIT_RULE_SET',
  'BINDING',
  'BIND',
  'ALLOCATED',
] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** `ns`: the name is delegated to our name servers. `cname`: its wildcard points at the edge. */
export const domainMethods = ['ns', 'cname'] as const
export type DomainMethod = (typeof domainMethods)[number]

export const domainActions = ['check', 'method', 'restart', 'setRule', 'transfer', 'delete'] as const
export type DomainAction = (typeof domainActions)[number]

/** Rules for joining: an email address at one of these hosts, or an invitation. */
export const ruleTypes = ['fixed_email_suffix', 'specified_email_address'] as const
export type RuleType = (typeof ruleTypes)[number]
