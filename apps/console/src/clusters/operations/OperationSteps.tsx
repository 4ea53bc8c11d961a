import type { Operation, OperationStep } from '@atoll/contract/clusters'
import { operationStepLabel } from '@atoll/texts/operations'
import { InstallStepper, type StepView } from '@atoll/ui'
import { serverNow } from '../../config/runtime-config.ts'
import { formatDuration } from '../../kit/format/stopwatch.ts'
import { UnreadableRows } from '../../kit/table/UnreadableRows.tsx'
import { type TextKey, textOf, useLocale, useText } from '../../locales/text.ts'

const stateTexts: Record<OperationStep['state'], TextKey> = {
  pending: 'steps.statePending',
  running: 'steps.stateRunning',
  done: 'steps.stateDone',
  failed: 'steps.stateFailed',
  canceled: 'detail.resultCanceled',
}

interface OperationStepsProps {
  operation: Operation
  /** Its step under way failed and is tried again once somebody has done something, such as entered a password. */
  isHeldUp?: boolean
}

/** The steps of an operation, how long each took, and what holds one up. */
export function OperationSteps({ operation, isHeldUp = false }: OperationStepsProps) {
  const t = useText()
  const locale = useLocale()
  const steps = operation.steps.map(({ step, state: noted, startedAt, endedAt, detail }): StepView => {
    const state = isHeldUp && noted === 'running' ? 'failed' : noted
    const end = endedAt ? Date.parse(endedAt) : serverNow()
    return {
      key: step,
      title: operationStepLabel(step, locale),
      // A step that was canceled was not done and will not be.
      state: state === 'canceled' ? 'pending' : state,
      duration: startedAt ? formatDuration(end - Date.parse(startedAt), t) : '',
      stateText: t(textOf(stateTexts, state)),
      ...(detail && { detail }),
    }
  })
  return (
    <>
      <InstallStepper steps={steps} label={t('detail.stepsLabel')} />
      <UnreadableRows of={operation.steps} />
    </>
  )
}
