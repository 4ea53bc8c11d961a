import type { ReactNode } from 'react'
import { CodePicture } from './CodePicture.tsx'
import { CountdownFrame } from './CountdownFrame.tsx'
import classes from './SignInCode.module.css'

interface SignInCodeProps {
  /** The code's text; null while it is being made. */
  value: string | null
  state: 'waiting' | 'scanned' | 'approved' | 'expired'
  /** 0 to 1 of the lifetime left. */
  left: number
  /** Little time is left: the ring turns amber. */
  urgent: boolean
  /** Accessible name of the picture. */
  label: string
  /** Over the code: what happened, and the button that helps. */
  children?: ReactNode
}

/**
 * The code to scan in its frame: a ring that counts down, blurred once expired, pale once a phone has it. Always dark
 * on white.
 */
export function SignInCode({ value, state, left, urgent, label, children }: SignInCodeProps) {
  return (
    <div className={classes.frame} data-state={state}>
      <CountdownFrame left={state === 'waiting' || state === 'scanned' ? left : 0} urgent={urgent} />
      <div className={classes.paper}>
        {value && <CodePicture value={value} className={classes.code} label={label} hidden={state !== 'waiting'} />}
        {children && <div className={classes.over}>{children}</div>}
      </div>
    </div>
  )
}
