import type { MeteredProduct } from '@atoll/contract/billing'
import type { Db } from '../../../platform/db/index.ts'

interface ReadPart {
  clusterId: string
  network?: string
  used: bigint
}

/** The meters' answer for a product in a span of wall-clock time. */
export interface Reading {
  /** 10^-6 units: GB that flowed, or of what is stored the mean of the span in GB. */
  used: bigint
  unitLabel: string
  /** Until when they have spoken. */
  asOf: Date
  /** Whether every source has spoken for the whole span. */
  complete: boolean
  parts: readonly ReadPart[]
  /** Counted parts that are not in `parts`: nobody is charged for them. */
  uncharged?: readonly ReadPart[]
  /** SHA-256 over what was read, hex: the same readings give the same one. */
  digest: string
}

/** Given by `composition/`. The same span is answered alike until something is added to it. */
export interface Meters {
  read(db: Db, span: { userid: string; productType: MeteredProduct; from: Date; to: Date }): Promise<Reading>
}

/** Consecutive spans of wall time: from each of `cuts` to the next one. */
export interface CutSpan {
  userid: string
  productType: MeteredProduct
  cuts: readonly Date[]
  /** Only readings taken until then (wall clock) count. */
  knownBy?: Date | undefined
}

/** Usage of a cluster from `cuts[cut]` to the next cut, 10^-6 units; for storage its part of the mean of all spans. */
export interface UsedPiece {
  cut: number
  clusterId: string
  used: bigint
}

/** Given by `composition/`, of the meters' readings. */
export interface MeterCuts {
  /** In the order of the cuts. They sum to `used` of `read` for the time from the first cut to the last. */
  readCuts(db: Db, span: CutSpan): Promise<UsedPiece[]>
}
