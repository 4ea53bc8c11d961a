/** Limits of custom domains (design/domains). */

/** Longest name, characters as DNS writes it: with a member's name in front a host stays below 253. */
export const longestDomain = 190
/** Domains of an account that were added and are not yet linked. */
export const mostUnfinishedDomains = 3
/** Email domains of a rule. */
export const mostSuffixes = 20
/** Least time between two checks that a person asks for, ms. */
export const checkPauseMs = 5000
/** Looks at DNS that are kept of a domain. */
export const keptChecks = 50
