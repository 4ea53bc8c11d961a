import classes from './StepNumber.module.css'

/** Which of the steps of a list it is, in a ring; screen readers number a list anyway. */
export function StepNumber({ number }: { number: number }) {
  return (
    <span className={classes.number} aria-hidden="true">
      {number}
    </span>
  )
}
