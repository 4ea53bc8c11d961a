import classes from './Did.module.css'

interface DidProps {
  value: string
  /** The whole DID, in lines of equal length, instead of its two ends. */
  full?: boolean
}

/** A DID in mono: `did:key:z6MkvARm…qQQCHzo2`, or all of it where it matters which. */
export function Did({ value, full = false }: DidProps) {
  if (full) return <span className={classes.full}>{value}</span>
  return (
    <span className={classes.short} title={value}>
      {value.slice(0, 16)}…{value.slice(-8)}
    </span>
  )
}
