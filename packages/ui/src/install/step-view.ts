import type { installStepStates } from '@atoll/contract/clusters'

/** One step as the stepper and the segments draw it; texts come from the caller. */
export interface StepView {
  key: string
  title: string
  state: (typeof installStepStates)[number]
  /** How long it took or takes, such as `0:35`; empty before it starts. */
  duration: string
  /** State in words, for assistive technology. */
  stateText: string
  /** A failure or delay, under the title. */
  detail?: string
}
