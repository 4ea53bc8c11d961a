import type { ReactNode } from 'react'
import classes from './DataTable.module.css'

/** The subject of a row, and in small under it its details. */
export function CellLines({ main, second }: { main?: ReactNode; second?: ReactNode }) {
  return (
    <>
      {main && <span className={classes.main}>{main}</span>}
      {second && <span className={classes.second}>{second}</span>}
    </>
  )
}
