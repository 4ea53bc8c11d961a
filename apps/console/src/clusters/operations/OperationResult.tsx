import type { Operation } from '@atoll/contract/clusters'
import { operationStepLabel } from '@atoll/texts/operations'
import { StatusDot, stateLook } from '@atoll/ui'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './OperationResult.module.css'

const dots = {
  running: { colour: 'amber', shape: 'ring' },
  done: { colour: 'green', shape: 'disc' },
  failed: { colour: 'coral', shape: 'disc' },
  canceled: { colour: 'grey', shape: 'square' },
} as const

/** How an operation ended, or where it is. */
export function OperationResult({ operation }: { operation: Operation }) {
  return (
    <span className={classes.result}>
      <StatusDot {...stateLook(dots, operation.state)} />
      <span>{useResult(operation)}</span>
    </span>
  )
}

/** How it ended, or where it is: 'Step 2 of 4', 'Done', 'Failed at Queuing: …'. */
function useResult({ state, steps, error }: Operation): string {
  const t = useText()
  const locale = useLocale()
  switch (state) {
    case 'running': {
      const at = steps.findIndex((step) => step.state === 'running')
      return at < 0 ? t('detail.resultRunning') : t('cluster.stepOf', { step: at + 1, steps: steps.length })
    }
    case 'done':
      return t('detail.resultDone')
    case 'canceled':
      return error ?? t('detail.resultCanceled')
    case 'failed': {
      const reason = error ?? t('failure.unknown')
      const failed = steps.find((step) => step.state === 'failed')
      return failed
        ? t('detail.resultFailedAt', { step: operationStepLabel(failed.step, locale), reason })
        : t('detail.resultFailed', { reason })
    }
    default:
      return state // it is not known yet
  }
}
