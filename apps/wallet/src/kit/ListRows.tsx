import type { ReactNode } from 'react'
import classes from './ListRows.module.css'

interface ListRowsProps {
  children: ReactNode
}

/** A card of rows: settings, and things to do with an identity. */
export function ListRows({ children }: ListRowsProps) {
  return <div className={classes.card}>{children}</div>
}

interface SettingRowProps {
  label: string
  children: ReactNode
}

/** A setting and its control. */
export function SettingRow({ label, children }: SettingRowProps) {
  return (
    <div className={classes.setting}>
      <span className={classes.label}>{label}</span>
      {children}
    </div>
  )
}

interface ActionRowProps {
  icon: ReactNode
  danger?: boolean
  onSelect(): void
  children: ReactNode
}

/** A row that does something. */
export function ActionRow({ icon, danger = false, onSelect, children }: ActionRowProps) {
  return (
    <button type="button" className={classes.action} data-danger={danger || undefined} onClick={onSelect}>
      {icon}
      {children}
    </button>
  )
}
