import type { StoredTimes } from '../../platform/careful/index.ts'

/** What a clock that was set back must not leave in the future. */
export const vaultTimes: readonly StoredTimes[] = [
  // Read again at once; `stored_at` stays, as the order of what came is told by it.
  { table: 'vault_files', columns: ['scrub_at'], ifAhead: 'stored_at' },
  { table: 'vault_files', columns: ['scrub_at', 'scrubbed_at'], ifAhead: 'scrubbed_at' },
]
