/** Every screen of the console and each layer over it, with the way to it: for checks of all of them. */
import { accountStates } from './account-states.ts'
import { backupStates } from './backup-states.ts'
import { billingStates } from './billing-states.ts'
import { clusterStates } from './cluster-states.ts'
import type { ConsoleState } from './console-state.ts'
import { createStates } from './create-states.ts'
import { domainStates } from './domain-states.ts'
import { operatorStates } from './operator-states.ts'

export type { ConsoleState }

export const consoleStates: readonly ConsoleState[] = [
  ...clusterStates,
  ...createStates,
  ...billingStates,
  ...backupStates,
  ...domainStates,
  ...accountStates,
  ...operatorStates,
]
