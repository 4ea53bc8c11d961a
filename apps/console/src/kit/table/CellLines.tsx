import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

/** What a row is about, and in small under it what more there is to say. */
export function CellLines({ main, second }: { main?: ReactNode; second?: ReactNode }) {
  return (
    <>
      {main && <span className={classes.main}>{main}</span>}
      {second && <span className={classes.second}>{second}</span>}
    </>
  )
}
