/** The end of a chain, or any other place in it: the number of a link and its hash. */
export interface Mark {
  seq: number
  hash: string
}

/** Where a chain breaks first, and why, in words. */
export interface ChainBreak {
  seq: number
  problem: string
}

/** Follows a chain link by link, from the first one on. */
export interface ChainWalk {
  /** The last link that was as it should be. */
  readonly last: Mark
  /** Takes the next link; `computed` is the hash that it should have after `last`. */
  take(link: Mark, computed: string): ChainBreak | undefined
  /** Compares the end with what the chain's head says. */
  end(head: Mark | undefined): ChainBreak | undefined
}

/**
 * A walk over a chain whose links count from 1. `noun` is what a link is called, `first` the hash before the first
 * one. `marks` were taken earlier (seals, noted heads): the chain must reach each and hold its hash there.
 */
export function createChainWalk(noun: string, { first, marks }: { first: string; marks: readonly Mark[] }): ChainWalk {
  const expected = new Map(marks.map(({ seq, hash }) => [seq, hash]))
  let last: Mark = { seq: 0, hash: first }
  return {
    get last() {
      return last
    },
    take({ seq, hash }, computed) {
      const next = last.seq + 1
      if (seq < 1) return broken(seq, `${noun} ${seq} was never written by this log, which begins with 1`)
      if (seq !== next) return broken(next, `${noun} ${next} is missing: ${seq} stands after ${last.seq}`)
      if (hash !== computed) return broken(seq, `${noun} ${seq} is not what was written`)
      if ((expected.get(seq) ?? hash) !== hash) {
        return broken(seq, `${noun} ${seq} is not what was sealed: the log was written anew up to there`)
      }
      last = { seq, hash }
      return undefined
    },
    end(head) {
      const end = Math.max(head?.seq ?? 0, ...expected.keys())
      if (end > last.seq) return broken(last.seq + 1, `${noun}s ${last.seq + 1} to ${end} are missing at the end`)
      if (head && head.seq < last.seq) {
        const added = head.seq + 1
        return broken(added, `${noun} ${added} was added behind the back of the log, which ends with ${head.seq}`)
      }
      if (head?.hash !== last.hash) {
        return broken(last.seq, `the head of the log does not point to its last ${noun}, ${last.seq}`)
      }
      return undefined
    },
  }
}

function broken(seq: number, problem: string): ChainBreak {
  return { seq, problem }
}
