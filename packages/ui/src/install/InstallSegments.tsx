import classes from './InstallSegments.module.css'
import type { StepView } from './step-view.ts'

interface InstallSegmentsProps {
  steps: StepView[]
  label: string
}

/**
 * The steps of an operation side by side: one bar each, full when done, sweeping while it runs. Titles fold away when
 * narrow.
 */
export function InstallSegments({ steps, label }: InstallSegmentsProps) {
  return (
    <ol className={classes.segments} aria-label={label}>
      {steps.map((step) => (
        <li key={step.key} data-state={step.state} aria-current={step.state === 'running' ? 'step' : undefined}>
          <span className={classes.bar} aria-hidden="true" />
          <span className={classes.words}>
            <span className={classes.title}>
              {step.title}
              <span className="visually-hidden"> {step.stateText}</span>
            </span>
            <span className={classes.duration}>{step.duration}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
