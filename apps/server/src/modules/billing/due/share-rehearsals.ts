/**
 * Rehearsals, one at a time for each account. Each holds the account's lock while it runs, and pages of an account that
 * owes something ask for one with every change: more than one waiting for that lock would delay payments and orders.
 */
export interface Rehearsals {
  /**
   * The result of `play`, shared by all who ask for the same while it runs. The result includes everything done before
   * they asked, because nothing changes an account's money while a rehearsal holds its lock.
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
