/** The other enums of spec §3, §4 and §6, as wire values. */

/** Domain binding steps, in order (spec §4). */
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

export const snapshotKinds = ['Fully', 'Incremental'] as const
export const taskStates = ['Pending', 'Started', 'Running', 'Canceled', 'Completed', 'Failed'] as const
export const workloadStates = ['Completed', 'Failed', 'Progressing', 'Scheduling'] as const
export const planLevels = { None: 0, Starter: 1, Basic: 2, Pro: 3 } as const
/** Names of the tiers as sold; level 0 is the Free tier (spec §1). */
export const planNames = ['Free', 'Starter', 'Basic', 'Pro'] as const
export const noticeKinds = ['NORMAL', 'EXPIRED', 'SUCCESSFUL'] as const
export const roles = ['Admin', 'User'] as const
export type Role = (typeof roles)[number]
export const productTypes = ['cloud_backup', 'cloud_storage', 'cloud_traffic', 'cdn_traffic'] as const
export const networkProducts = ['FrpNetwork', 'CloudflareNetwork'] as const
export const couponDurations = ['forever', 'once', 'repeating'] as const
export const paymentKinds = ['Balance', 'card'] as const
