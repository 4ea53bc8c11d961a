import { Mark } from '@atoll/ui'
import { Link } from '@tanstack/react-router'
import { runtimeConfig } from '../../../config/runtime-config.ts'
import { useText } from '../../../locales/text.ts'
import classes from './Sidebar.module.css'

/** Mark and product name; leads home. */
export function Brand() {
  const t = useText()
  return (
    <Link to="/" className={classes.brand} aria-label={t('shell.home')}>
      <Mark size={24} />
      {runtimeConfig().product}
    </Link>
  )
}
