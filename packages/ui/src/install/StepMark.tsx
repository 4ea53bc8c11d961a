import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { StatusDot } from '../status/StatusDot.tsx'
import classes from './InstallStepper.module.css'
import type { StepView } from './step-view.ts'

interface StepMarkProps {
  state: StepView['state']
}

/** The round mark of a step: done, turning, failed or still to come. */
export function StepMark({ state }: StepMarkProps) {
  return (
    <span className={classes.mark} data-state={state} aria-hidden="true">
      {state === 'done' && <IconCheck size={13} stroke={2.4} />}
      {state === 'failed' && <IconAlertTriangle size={13} stroke={2} />}
      {state === 'running' && <StatusDot colour="amber" shape="ring" size={20} />}
    </span>
  )
}
