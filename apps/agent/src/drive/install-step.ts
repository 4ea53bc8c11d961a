/**
 * A step of the install, as the installer runs it: the steps of `install/steps/`, and the wait for a restored drive.
 */
import type { Home } from '../kernel/home.ts'
import type { StateStore } from '../kernel/state-store.ts'
import type { Drive } from './drive.ts'

export interface StepContext {
  home: Home
  drive: Drive
  store: StateStore
  version: string
  /** Where the personal server listens already. */
  host: string
  port: number
  bootId: string
  /** Aborted when the step's time is over or the agent stops. */
  signal: AbortSignal
  /** Adds `HH:MM:SS source message` to the step's lines. */
  say(source: string, message: string): void
}
/** Resolves when its work is done, by this step or before; throws with a sentence a person can act on. */
export type Step = (context: StepContext) => Promise<void>
