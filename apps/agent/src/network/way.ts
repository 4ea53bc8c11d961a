import type { NetworkState } from '@atoll/contract/clusters'

/** A way in that is open: one of the files beside this one opens each kind. */
export interface Way {
  /** Bytes of connections that the personal server does not count itself. */
  traffic(): { in: number; out: number }
  close(): Promise<void>
}

/** How a way in fares; `port`: where it listens, of `direct` alone. */
export type NetworkReport = NetworkState & { port?: number }
