/**
 * Bounds the bytes of bodies that this process holds for clusters that do not take them. By HTTP/1.1 they stay with the
 * visitor (TCP's window); by HTTP/2 each stream may bring a whole window more, on as many connections as a visitor
 * likes. A stream counts with its whole window while its reader is paused: otherwise its bytes are passed on as they
 * come. Where there are too many, the visitor who has most of them loses the one that waits longest.
 */

import { constants } from 'node:http2'
import { totalmem } from 'node:os'
import { networkOf, visitorBits } from '../../../platform/network-of.ts'

/** Those parts of a stream of `node:http2` that are used. */
interface Stream {
  on(event: 'pause' | 'resume' | 'close', listener: () => void): unknown
  close(code: number): void
}

export interface HeldBodies {
  /** From now until `stream` is closed. */
  watch(stream: Stream, address: string | undefined): void
}

/** An eighth of the memory that this process may use, in bytes. */
export const mostHeldBytes = Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) / 8

/** `most`: streams at a time. `onCut` hears the network of each visitor who lost one. */
export function createHeldBodies(most: number, onCut: (network: string) => void): HeldBodies {
  /** By network, in the order in which they were paused. */
  const held = new Map<string, Set<Stream>>()
  let count = 0

  function hold(stream: Stream, network: string): void {
    const streams = held.get(network) ?? new Set()
    if (streams.has(stream)) return
    held.set(network, streams.add(stream))
    count += 1
    if (count > most) cutOne()
  }

  function release(stream: Stream, network: string): void {
    const streams = held.get(network)
    if (!streams?.delete(stream)) return
    count -= 1
    if (streams.size === 0) held.delete(network)
  }

  function cutOne(): void {
    const [network, streams] = [...held].reduce((first, next) => (next[1].size > first[1].size ? next : first))
    const [oldest] = streams
    if (!oldest) return
    release(oldest, network)
    oldest.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    onCut(network)
  }

  return {
    watch(stream, address = '') {
      const network = networkOf(address, visitorBits)
      stream.on('pause', () => hold(stream, network))
      for (const event of ['resume', 'close'] as const) stream.on(event, () => release(stream, network))
    },
  }
}
