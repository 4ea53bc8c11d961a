/**
 * Rehearsals, one of an account at a time. Each holds the account's lock for as long as it plays, and pages ask for
 * them with every change: more than one in the queue for that lock would keep whoever pays or orders waiting.
 */
export interface Rehearsals {
  /**
   * What `play` makes; whoever asks for the same meanwhile gets the same answer. That knows all that was done before
   * they asked: nothing changes an account's money while a rehearsal holds its lock.
   */
  share<Found>(asked: { userid: string; what: string }, play: () => Promise<Found>): Promise<Found>
}

export function createRehearsals(): Rehearsals {
  const asked = new Map<string, Promise<unknown>>()
  const last = new Map<string, Promise<unknown>>()
  return {
    share<Found>({ userid, what }: { userid: string; what: string }, play: () => Promise<Found>): Promise<Found> {
      const key = `${userid} ${what}`
      const known = asked.get(key)
      if (known) return known as Promise<Found> // under one key, one play
      const before = last.get(userid) ?? Promise.resolve()
      const playing = before.then(play, play)
      asked.set(key, playing)
      last.set(userid, playing)
      const forget = () => {
        asked.delete(key)
        if (last.get(userid) === playing) last.delete(userid)
      }
      playing.then(forget, forget)
      return playing
    },
  }
}
