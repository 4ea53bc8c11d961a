/**
 * Whether this machine may serve, as the control plane or the edge said last; kept, so that a restart serves nobody
 * either. Refused, nobody comes in from outside and the personal server says why, to visitors of the machine itself.
 *   machineCopied    until its owner chooses it: it asks again
 *   machineReplaced  for good: the identity goes, so that a new command makes it a machine like any other
 */
import type { MachineRefusal } from '@atoll/contract/agents'
import type { Home } from '../kernel/home.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { HttpProblem } from '../kernel/problem.ts'
import type { StateStore } from '../kernel/state-store.ts'
import { forgetIdentity } from './identity.ts'

export const refusalTexts: Record<MachineRefusal, string> = {
  machineReplaced:
    'Another machine has taken the place of this one. It serves nobody any more; its files are still on it.',
  machineCopied:
    'Another machine runs with a copy of this disk and served first. This one serves nobody until its owner chooses it.',
}

export interface Standing {
  readonly refusal: MachineRefusal | null
  /** Throws 503 while it may serve nobody. */
  check(): void
  refused(refusal: MachineRefusal): void
  /** The control plane takes it as the machine of its cluster. */
  accepted(): Promise<void>
}

/** `onRefused`: closes the ways in. */
export function createStanding({
  store,
  home,
  log,
  onRefused,
}: {
  store: StateStore
  home: Home
  log: Log
  onRefused(): void
}): Standing {
  return {
    get refusal() {
      return store.current.refusal
    },
    check() {
      const { refusal } = store.current
      if (refusal) throw new HttpProblem(503, refusal, refusalTexts[refusal])
    },
    refused(refusal) {
      if (store.current.refusal !== refusal) {
        log.error('link', refusalTexts[refusal])
        onRefused()
      }
      const kept = store
        .update({ refusal })
        .then(() => (refusal === 'machineReplaced' ? forgetIdentity(home) : undefined))
      kept.catch((error: unknown) => log.error('link', `the refusal was not kept: ${describeError(error)}`))
    },
    async accepted() {
      if (store.current.refusal === null) return
      log.info('link', 'this machine serves again')
      await store.update({ refusal: null })
    },
  }
}
