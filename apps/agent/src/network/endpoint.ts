import type { NetworkState } from '@atoll/contract/clusters'

/** An endpoint that is open: one of the files beside this one opens each kind. */
export interface Endpoint {
  /** Bytes of connections that the personal server does not count itself. */
  traffic(): { in: number; out: number }
  close(): Promise<void>
}

/** How an endpoint fares; `port`: where it listens, of `direct` alone. */
export type NetworkReport = NetworkState & { port?: number }
