import { cutName } from './cut-name.ts'
import classes from './FileName.module.css'

interface FileNameProps {
  name: string
}

/** A name in one line: a long one is cut in the middle, and is read out whole. */
export function FileName({ name }: FileNameProps) {
  const parts = cutName(name)
  if (!parts) return name
  return (
    <>
      <span className="visually-hidden">{name}</span>
      <span aria-hidden="true" className={classes.name}>
        <span className={classes.beginning}>{parts.beginning}</span>
        <span className={classes.end}>{parts.end}</span>
      </span>
    </>
  )
}
