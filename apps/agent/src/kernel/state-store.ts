/**
 * The agent's state that must survive a restart. One writer at a time; memory first, then the file. Everything in it
 * can be written again after a crash: install steps are idempotent, and others act on a change only once it is written.
 */
import { AgentCommand, InstallState, machineRefusals } from '@atoll/contract/agents'
import { z } from 'zod'
import { writeFileAtomic } from './atomic-file.ts'
import { type Home, readJsonFile } from './home.ts'
import { createTurns } from './turns.ts'

export const Config = AgentCommand.options[0].omit({ type: true, now: true })
export type Config = z.infer<typeof Config>

const State = z.object({
  install: InstallState,
  /** The release that `install` is about; null before any. */
  release: z.object({ version: z.string(), steps: z.array(z.string()), script: z.string().optional() }).nullable(),
  /**
   * The nonce of the one-time password (`kernel/one-time-password.ts`): from hand-over to activation, and while the
   * owner's password is being reset.
   */
  handoverNonce: z.string().nullable(),
  /** The reset that was obeyed last. */
  rotatedTask: z.string().nullable().default(null),
  /** From activation on. */
  account: z.object({ passwordHash: z.string(), activatedAt: z.number() }).nullable(),
  /** Why this machine serves nobody (`link/standing.ts`); null: it may. */
  refusal: z.enum(machineRefusals).nullable().default(null),
  /** The control plane's last messages, so that the personal server works while it is away. */
  config: Config.nullable(),
})
export type State = z.infer<typeof State>

const emptyState: State = {
  install: { state: 'waiting', taskId: null, reason: null, steps: [] },
  release: null,
  handoverNonce: null,
  rotatedTask: null,
  account: null,
  refusal: null,
  config: null,
}

export interface StateStore {
  /** Never changed in place: each update makes a new object. */
  readonly current: State
  /**
   * Applies `change` to memory and resolves when the file holds it; listeners are called only then, so nobody is
   * notified of what a crash would take back. Rejects when the file could not be written; memory keeps the change and
   * listeners are called all the same, so that a full disk can still be reported.
   */
  update(change: Partial<State>): Promise<void>
  /** Changes memory and calls listeners; the file gets it with the next `update`. For log lines, which may be lost. */
  updateInMemory(change: Partial<State>): void
  onChange(listener: () => void): void
}

/** Opens the state of `home`, empty when there is none; throws `Fatal` when it is damaged. */
export async function openStateStore(home: Home): Promise<StateStore> {
  let current: State = (await readJsonFile(home.state, State)) ?? emptyState
  const listeners: (() => void)[] = []
  const inTurn = createTurns(1)

  function notifyListeners(): void {
    for (const listener of listeners) listener()
  }

  return {
    get current() {
      return current
    },
    updateInMemory(change) {
      current = { ...current, ...change }
      notifyListeners()
    },
    update(change) {
      current = { ...current, ...change }
      // Each write takes the newest state, so a write that failed is made good by the next one.
      return inTurn(() => writeFileAtomic(home.state, JSON.stringify(current))).finally(notifyListeners)
    },
    onChange(listener) {
      listeners.push(listener)
    },
  }
}
