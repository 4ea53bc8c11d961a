import type { Resource } from '@atoll/contract'
import type { StepView } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { formatStopwatch } from '../../format/stopwatch.ts'
import { type TextKey, type Translate, useText } from '../../i18n/text.ts'
import { useNow } from '../use-now.ts'
import { isBeingMade, logLines, parseInstallLog, progressSteps } from './progress-steps.ts'

const titles: Record<string, TextKey> = {
  machine: 'steps.machine',
  install: 'steps.install',
  prepare: 'steps.prepare',
  fetch: 'steps.fetch',
  services: 'steps.services',
  script: 'steps.script',
  network: 'steps.network',
  handover: 'steps.handover',
}
const states = {
  pending: 'steps.statePending',
  running: 'steps.stateRunning',
  done: 'steps.stateDone',
  failed: 'steps.stateFailed',
} as const satisfies Record<StepView['state'], TextKey>

export interface Progress {
  steps: StepView[]
  /** 1-based number of the step that runs, failed or comes next. */
  at: number
  current: StepView | undefined
  lines: string[]
}

/** The progress of a cluster in words, with a clock that runs while it is being made. */
export function useProgress(cluster: Pick<Resource, 'status' | 'installLog' | 'createAt'>): Progress {
  const t = useText()
  useNow(isBeingMade(cluster) ? 1000 : undefined)
  const log = parseInstallLog(cluster.installLog)
  const steps = progressSteps(cluster, log, serverNow()).map(
    ({ key, state, ms }): StepView => ({
      key,
      state,
      title: stepTitle(t, key),
      duration: ms === null ? '' : formatStopwatch(ms),
      stateText: t(states[state]),
    }),
  )
  const open = steps.findIndex(({ state }) => state !== 'done')
  const at = open < 0 ? steps.length : open + 1
  return { steps, at, current: steps[at - 1], lines: logLines(log) }
}

/** A step the console has no words for is shown as the operator wrote it. */
function stepTitle(t: Translate, key: string): string {
  const title = titles[key]
  return title ? t(title) : key
}
