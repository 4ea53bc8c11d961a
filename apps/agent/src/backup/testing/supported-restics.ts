/**
 * The restics that backups are tested with: the oldest that is supported and the newest, each from the suite of Debian
 * that has it. `npm test` has the newest; the oldest belongs to the deep tier, where what restores is tested with it:
 * only `restore` differs between them (restic-version.ts).
 */
export const oldestRestic = { version: '0.14', suite: 'bookworm' } as const
export const newestRestic = { version: '0.18', suite: 'trixie' } as const

export type SupportedRestic = typeof oldestRestic | typeof newestRestic
