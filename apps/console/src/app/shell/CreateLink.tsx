import { Link } from '@tanstack/react-router'
import { useText } from '../../kit/i18n/text.ts'
import classes from './CreateLink.module.css'
import { createDestination } from './destinations.ts'

/** To the order of a new cluster, from anywhere. */
export function CreateLink() {
  const t = useText()
  const { to, label, icon: Icon } = createDestination
  return (
    <Link to={to} className={classes.create} aria-label={t(label)}>
      <Icon size={20} stroke={1.6} aria-hidden="true" />
    </Link>
  )
}
