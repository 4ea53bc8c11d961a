import { shorten } from '@atoll/contract/wire'
import classes from './Did.module.css'

interface DidProps {
  value: string
  /** The whole DID, in lines of equal length, instead of its first 30 characters (spec §9). */
  full?: boolean
}

/** A DID in mono: `did:key:z6MkvARmXmTXnwyJz9uXbz...`, or all of it where it matters which. */
export function Did({ value, full = false }: DidProps) {
  if (full) return <span className={classes.full}>{value}</span>
  return (
    <span className={classes.short} title={value}>
      {shorten(value)}
    </span>
  )
}
