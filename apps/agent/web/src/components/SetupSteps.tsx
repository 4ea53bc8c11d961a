import type { Status } from '@atoll/contract/personal-server'
import { installStepLabel } from '@atoll/texts/operations'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useLocale } from '../i18n/text.ts'
import classes from './SetupSteps.module.css'

interface SetupStepsProps {
  steps: Status['install']['steps']
}

/** The steps of setting up; one that an operator added keeps its own name. */
export function SetupSteps({ steps }: SetupStepsProps) {
  const locale = useLocale()
  return (
    <ol className={classes.steps}>
      {steps.map(({ step, state }) => (
        <li
          key={step}
          className={classes.step}
          data-state={state}
          aria-current={state === 'running' ? 'step' : undefined}
        >
          <span className={classes.mark}>
            {state === 'done' && <IconCheck size={12} stroke={2.2} aria-hidden="true" />}
            {state === 'failed' && <IconX size={12} stroke={2.2} aria-hidden="true" />}
          </span>
          {installStepLabel(step, locale)}
        </li>
      ))}
    </ol>
  )
}
