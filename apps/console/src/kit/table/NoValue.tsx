import { useText } from '../../locales/text.ts'
import classes from './DataTable.module.css'

/** A dash, and words for who cannot see it; below 768 px the cell is left out. */
export function NoValue({ label }: { label?: string }) {
  const t = useText()
  return (
    <span className={classes.none}>
      <span aria-hidden="true">{t('table.none')}</span>
      <span className="visually-hidden">{label ?? t('table.noneText')}</span>
    </span>
  )
}
