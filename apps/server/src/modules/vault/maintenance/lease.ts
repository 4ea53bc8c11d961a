/** The lease shows that a vault is alive: its reservations are given back when the lease lapses. */
export const vaultLease = { kind: 'vault', renewMs: 10_000, silentMs: 60_000 } as const
