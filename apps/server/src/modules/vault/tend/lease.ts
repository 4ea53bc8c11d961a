/** By what a vault is known to live: what it reserved is given back when its lease lapses. */
export const vaultLease = { kind: 'vault', renewMs: 10_000, silentMs: 60_000 } as const
