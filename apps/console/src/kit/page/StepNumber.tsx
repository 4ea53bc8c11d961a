import classes from './StepNumber.module.css'

/** Which of the steps of a list it is, in a ring; who hears the list is told its numbers anyway. */
export function StepNumber({ number }: { number: number }) {
  return (
    <span className={classes.number} aria-hidden="true">
      {number}
    </span>
  )
}
