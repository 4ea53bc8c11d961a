import { type ReactNode, useId } from 'react'
import classes from './CommandPalette.module.css'

interface PaletteGroupProps {
  title: string
  children: ReactNode
}

/** Options of one kind; hidden while none of them holds what was typed. */
export function PaletteGroup({ title, children }: PaletteGroupProps) {
  const id = useId()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
    <div role="group" className={classes.group} aria-labelledby={id}>
      <div id={id} role="presentation" className={classes.title}>
        {title}
      </div>
      {children}
    </div>
  )
}
