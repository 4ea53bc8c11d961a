import { type ReactNode, useId } from 'react'
import { PartBoundary } from '../../kit/page/PartBoundary.tsx'
import classes from './Panel.module.css'

interface PanelProps {
  title: string
  /** At the end of the title's line. */
  note?: ReactNode
  children: ReactNode
}

/** A card with a title over a table or lines. */
export function Panel({ title, note, children }: PanelProps) {
  const id = useId()
  return (
    <section className="box clip" aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {note && <div className="small quiet">{note}</div>}
      </div>
      <PartBoundary>{children}</PartBoundary>
    </section>
  )
}
