import type { ReactNode } from 'react'
import classes from './SettingRow.module.css'

interface SettingRowsProps {
  tone?: 'danger'
  children: ReactNode
}

/** Rows of one card, each with its words at the left and what can be done at the right. */
export function SettingRows({ tone, children }: SettingRowsProps) {
  return (
    <div className={classes.rows} data-tone={tone}>
      {children}
    </div>
  )
}

interface SettingRowProps {
  /** At the left of the words: a picture, an icon. */
  icon?: ReactNode
  title: ReactNode
  /** The present value, or the effect. */
  text: ReactNode
  /** Its action. */
  children?: ReactNode
}

export function SettingRow({ icon, title, text, children }: SettingRowProps) {
  return (
    <div className={classes.row}>
      {icon && <span className={classes.icon}>{icon}</span>}
      <div className={classes.words}>
        <div className="strong">{title}</div>
        <div className={classes.text}>{text}</div>
      </div>
      {children && <div className={classes.control}>{children}</div>}
    </div>
  )
}
