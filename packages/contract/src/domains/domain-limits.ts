/** Limits of custom domains (design/domains). */

/** Longest name, characters as DNS writes it: with a member's name in front a host stays below 253. */
export const longestDomain = 190
/** Time to live that is proposed for records to add, s: short enough to correct a mistake within minutes. */
export const proposedTtl = 300
/** Domains of an account that were added and are not yet linked. */
export const mostUnfinishedDomains = 3
/** Email domains of a rule. */
export const mostSuffixes = 20
/** Least time between two checks that a person asks for, ms. */
export const checkPauseMs = 5000
/** Looks at DNS that are kept of a domain. */
export const keptChecks = 50
/** Characters of a member's one-time password, base32 (60 bits: wrong ones need no count); how long it works, ms. */
export const oneTimePasswordLength = 12
export const oneTimePasswordLifetimeMs = 7 * 24 * 60 * 60_000
/** Invitations of a domain that nobody has taken yet. */
export const mostInvitations = 500
/** Invitations that an account may mail in an hour; a mailbox gets one a minute. */
export const invitationMailsPerHour = 30
export const invitationMailPauseMs = 60_000
