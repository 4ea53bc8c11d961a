import type { StoredTimes } from '../../platform/careful/index.ts'

/** Times that must not lie in the future after the clock was set back. */
export const vaultTimes: readonly StoredTimes[] = [
  // Read again at once; `stored_at` stays, because it records the order of the files.
  { table: 'vault_files', columns: ['scrub_at'], ifAhead: 'stored_at' },
  { table: 'vault_files', columns: ['scrub_at', 'scrubbed_at'], ifAhead: 'scrubbed_at' },
]
