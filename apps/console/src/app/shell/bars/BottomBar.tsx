import { Link } from '@tanstack/react-router'
import { useText } from '../../../locales/text.ts'
import { mainDestinations } from '../../places/destinations.ts'
import { isWithin, useHere } from '../../places/use-here.ts'
import classes from './BottomBar.module.css'

/** The sidebar of a phone. */
export function BottomBar() {
  const t = useText()
  const here = useHere()
  return (
    <nav className={classes.bar} aria-label={t('shell.navigation')}>
      {mainDestinations.map(({ to, label, icon: Icon, holds }) => (
        <Link
          key={to}
          to={to}
          className={classes.item}
          activeOptions={{ exact: true, includeSearch: false }}
          data-within={isWithin(holds, here) || undefined}
        >
          <Icon size={22} stroke={1.8} aria-hidden="true" />
          {t(label)}
        </Link>
      ))}
    </nav>
  )
}
