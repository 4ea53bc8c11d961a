import type { Resource } from '@atoll/contract/clusters'
import { installStepLabel } from '@atoll/texts/operations'
import type { StepView } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { useNow } from '../../kit/browser/use-now.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { type TextKey, useLocale, useText } from '../../locales/text.ts'
import { isBeingMade, logLines, parseInstallLog, progressSteps } from './progress-steps.ts'

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
  const locale = useLocale()
  useNow(isBeingMade(cluster) ? 1000 : undefined)
  const log = parseInstallLog(cluster.installLog)
  const steps = progressSteps(cluster, log, serverNow()).map(
    ({ key, state, ms }): StepView => ({
      key,
      state,
      title: installStepLabel(key, locale),
      duration: ms === null ? '' : formatDuration(ms, t),
      stateText: t(states[state]),
    }),
  )
  const open = steps.findIndex(({ state }) => state !== 'done')
  const at = open < 0 ? steps.length : open + 1
  return { steps, at, current: steps[at - 1], lines: logLines(log) }
}
