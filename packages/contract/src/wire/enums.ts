/** Other enums of spec §1 and §6, as wire values. */

/** Names of the tiers as sold; level 0 is the Free tier (spec §1). */
export const planNames = ['Free', 'Starter', 'Basic', 'Pro'] as const
export const roles = ['Admin', 'User'] as const
export type Role = (typeof roles)[number]
/** Roles of the people who run the deployment, beside the roles of the specification. */
export const staffRoles = ['support', 'operator'] as const
export type StaffRole = (typeof staffRoles)[number]
export const networkProducts = ['FrpNetwork', 'CloudflareNetwork'] as const
