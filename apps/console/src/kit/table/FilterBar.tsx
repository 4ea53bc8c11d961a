import type { ReactNode } from 'react'
import { FilterMenu, type FilterMenuProps } from '../menu/FilterMenu.tsx'
import classes from './FilterBar.module.css'

export interface Filter extends FilterMenuProps {
  key: string
}

interface FilterBarProps {
  filters: readonly Filter[]
  /** At the end of the line: a choice that is no menu, a sum. */
  children?: ReactNode
}

/** What narrows a list, over it. */
export function FilterBar({ filters, children }: FilterBarProps) {
  return (
    <div className={classes.filters}>
      {filters.map(({ key, ...filter }) => (
        <FilterMenu key={key} {...filter} />
      ))}
      {children}
    </div>
  )
}
