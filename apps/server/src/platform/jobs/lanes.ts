/**
 * Lanes group jobs by the party that they wait for. Each lane has places of its own, so that jobs that wait in one
 * delay nothing in another.
 *
 * Lanes that wait for parties outside the deployment have two more limits. A run has one deadline: its signal is
 * aborted, and a few seconds later its place is given to the next job whether or not it has ended. And one account has
 * only a share of the places, in each worker; its jobs above that share wait, and those behind them are taken first.
 */
export interface LaneLimits {
  /** Runs at a time in one worker. */
  places: number
  /** Of these, most that one account has. */
  share: number
  /** From a run's start to the end of its place, ms. Longer than what it waits for may take to answer. */
  deadlineMs: number
}

/** `names`: name servers and certificate authorities. `webhooks`: servers that are notified. */
export const strangerLanes = {
  names: { places: 16, share: 2, deadlineMs: 90_000 },
  mails: { places: 8, share: 2, deadlineMs: 60_000 },
  gateway: { places: 8, share: 2, deadlineMs: 120_000 },
  webhooks: { places: 4, share: 2, deadlineMs: 30_000 },
} satisfies Record<string, LaneLimits>

export type StrangerLane = keyof typeof strangerLanes

/** `own`: only the database and this deployment's own machines are asked. As many places as a setting says. */
export type Lane = 'own' | StrangerLane

export const lanes: readonly Lane[] = ['own', 'names', 'mails', 'gateway', 'webhooks']

/** In which lane a job runs. There is no default: each job says it. */
export type JobLane<Payload> =
  | { lane: 'own' }
  | {
      lane: StrangerLane
      /** For which account it is done, from its payload; null: for none, or there is no such thing any more. */
      accountOf(payload: Payload): Promise<string | null | undefined> | string | null | undefined
    }
