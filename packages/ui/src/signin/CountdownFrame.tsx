import classes from './SignInCode.module.css'

interface CountdownFrameProps {
  left: number
  urgent: boolean
}

/** A rounded square that starts at the middle of the top and runs clockwise. */
const outline =
  'M202 1.5H380.5A22 22 0 0 1 402.5 23.5V380.5A22 22 0 0 1 380.5 402.5H23.5A22 22 0 0 1 1.5 380.5V23.5A22 22 0 0 1 23.5 1.5H202'

/** Time left as a 3 px ring round the frame; it steps once a second. */
export function CountdownFrame({ left, urgent }: CountdownFrameProps) {
  return (
    <svg className={classes.ring} viewBox="0 0 404 404" fill="none" aria-hidden="true">
      <path d={outline} className={classes.track} />
      {left > 0 && (
        <path
          d={outline}
          pathLength={100}
          className={classes.time}
          data-urgent={urgent || undefined}
          strokeDasharray={`${left * 100} 100`}
        />
      )}
    </svg>
  )
}
