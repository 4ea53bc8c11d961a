import type { ReactNode } from 'react'
import { FilterMenu, type FilterMenuProps } from '../menu/FilterMenu.tsx'
import classes from './FilterBar.module.css'

interface FilterBarProps {
  /** Each by something else. */
  filters: readonly FilterMenuProps[]
  /** At the end of the line: a choice that is no menu, a sum. */
  children?: ReactNode
}

/** The filters of a list, over it. */
export function FilterBar({ filters, children }: FilterBarProps) {
  return (
    <div className={classes.filters}>
      {filters.map((filter) => (
        <FilterMenu key={filter.label} {...filter} />
      ))}
      {children}
    </div>
  )
}
