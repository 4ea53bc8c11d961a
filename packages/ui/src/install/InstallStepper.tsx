import classes from './InstallStepper.module.css'
import { StepMark } from './StepMark.tsx'
import type { StepView } from './step-view.ts'

interface InstallStepperProps {
  steps: StepView[]
  /** Accessible name of the list. */
  label: string
}

/** The steps of an operation, one under the other, with a mark, the time each took and what is happening now. */
export function InstallStepper({ steps, label }: InstallStepperProps) {
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map((step) => (
        <li key={step.key} className={classes.step} aria-current={step.state === 'running' ? 'step' : undefined}>
          <div className={classes.rail}>
            <StepMark state={step.state} />
            <span className={classes.line} data-state={step.state} />
          </div>
          <div className={classes.words} data-state={step.state}>
            <span>
              {step.title}
              <span className="visually-hidden"> {step.stateText}</span>
              {step.detail && <span className={classes.detail}>{step.detail}</span>}
            </span>
            <span className={classes.duration}>{step.duration}</span>
          </div>
        </li>
      ))}
    </ol>
  )
}
