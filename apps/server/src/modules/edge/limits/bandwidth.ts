/**
 * Limits each cluster to the bandwidth of its owner's plan: one token bucket per cluster in each edge process, for both
 * directions together, which holds two seconds' worth. Bytes that find it empty wait, and back pressure slows the
 * sender; nothing is dropped.
 */
import { Transform } from 'node:stream'

export interface Bucket {
  /** How long `bytes` that pass now have to wait, ms. */
  take(bytes: number): number
}

/**
 * Stages for what goes to or comes from a cluster; undefined where its plan sets no bandwidth. `length`: of a body that
 * will not be longer. A short one is taken as a whole before it comes, and needs no stage where there is room for it.
 */
export type Throttle = ((length?: number) => Transform | undefined) | undefined

const burstMs = 2000
/**
 * A stage is expensive for a short body and cheap for a long one. If a short body breaks off, at most so many bytes
 * were taken from the bucket for nothing.
 */
const shortBytes = 64 * 1024
/** Clusters of which a bucket is kept; those that are full again go first. */
const maxBuckets = 10_000

interface KeptBucket extends Bucket {
  setRate(bytesPerSecond: number): void
  isFull(): boolean
}

/** `now` in ms, of a clock that is never set. */
export function createBucket(bytesPerSecond: number, now: () => number = () => performance.now()): KeptBucket {
  let perMs = bytesPerSecond / 1000
  let left = perMs * burstMs
  let at = now()
  function refill(): void {
    const next = now()
    left = Math.min(left + (next - at) * perMs, perMs * burstMs)
    at = next
  }
  return {
    take(bytes) {
      refill()
      // The bucket may go below zero: each caller also waits for the bytes taken before.
      left -= bytes
      return left >= 0 ? 0 : -left / perMs
    },
    setRate(next) {
      if (next / 1000 === perMs) return
      refill()
      perMs = next / 1000
      left = Math.min(left, perMs * burstMs)
    },
    isFull() {
      refill()
      return left >= perMs * burstMs
    },
  }
}

/** Of each cluster and process: what holds back what passes it now. */
export function createBandwidth(): (route: { clusterId: string; bytesPerSecond?: number | undefined }) => Throttle {
  const buckets = new Map<string, KeptBucket>()

  function bucketOf(clusterId: string, bytesPerSecond: number): Bucket {
    const known = buckets.get(clusterId)
    known?.setRate(bytesPerSecond)
    if (known) return known
    if (buckets.size >= maxBuckets) for (const [id, bucket] of buckets) if (bucket.isFull()) buckets.delete(id)
    const bucket = createBucket(bytesPerSecond)
    buckets.set(clusterId, bucket)
    return bucket
  }

  return ({ clusterId, bytesPerSecond }) => {
    if (bytesPerSecond === undefined) return undefined
    const bucket = bucketOf(clusterId, bytesPerSecond)
    return (length = Number.POSITIVE_INFINITY) => {
      if (length > shortBytes) return throttled((bytes) => bucket.take(bytes))
      let waitMs = length === 0 ? 0 : bucket.take(length)
      if (waitMs === 0) return undefined
      return throttled(() => {
        const firstMs = waitMs
        waitMs = 0
        return firstMs
      })
    }
  }
}

/** `take`: how long a chunk of so many bytes has to wait, ms. */
function throttled(take: Bucket['take']): Transform {
  let timer: NodeJS.Timeout | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, pass) {
      const waitMs = take(chunk.length)
      if (waitMs === 0) pass(null, chunk)
      else timer = setTimeout(pass, waitMs, null, chunk)
    },
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
}
