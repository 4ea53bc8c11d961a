import { Children, type ReactNode } from 'react'
import classes from './Facts.module.css'

interface FactsProps {
  children: ReactNode
}

/** A line of small facts with middle dots between them; absent ones leave no dot. */
export function Facts({ children }: FactsProps) {
  return (
    <ul className={classes.facts}>
      {Children.toArray(children).map((fact, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: position is the only identity a fact has
        <li key={index}>{fact}</li>
      ))}
    </ul>
  )
}
