import type { Status } from '@atoll/contract/personal-server'
import { IconCheck, IconX } from '@tabler/icons-react'
import { type TextKey, useText } from '../i18n/text.ts'
import classes from './SetupSteps.module.css'

interface SetupStepsProps {
  steps: Status['install']['steps']
}

const titles: Record<string, TextKey> = {
  prepare: 'installing.steps.prepare',
  fetch: 'installing.steps.fetch',
  services: 'installing.steps.services',
  network: 'installing.steps.network',
  handover: 'installing.steps.handover',
}

/** The steps of setting up; one that an operator added keeps its own name. */
export function SetupSteps({ steps }: SetupStepsProps) {
  const t = useText()
  return (
    <ol className={classes.steps}>
      {steps.map(({ step, state }) => {
        const title = titles[step]
        return (
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
            {title ? t(title) : step}
          </li>
        )
      })}
    </ol>
  )
}
