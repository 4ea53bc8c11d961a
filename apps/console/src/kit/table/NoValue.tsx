import { useText } from '../i18n/text.ts'
import classes from './DataTable.module.css'

/** A dash, and words for who cannot see it; below 768 px the cell is left out. */
export function NoValue() {
  const t = useText()
  return (
    <span className={classes.none}>
      <span aria-hidden="true">{t('table.none')}</span>
      <span className={classes.hidden}>{t('table.noneText')}</span>
    </span>
  )
}
