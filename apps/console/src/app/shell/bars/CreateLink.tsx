import { Link } from '@tanstack/react-router'
import { useCreateWaits } from '../../../billing/shared/use-create-waits.ts'
import { refusedButton } from '../../../kit/menu/refused-button.ts'
import { useText } from '../../../locales/text.ts'
import { createDestination } from '../../places/destinations.ts'
import classes from './CreateLink.module.css'

/** To the order of a new cluster, from anywhere; while a bill is past due it leads nowhere, and says why. */
export function CreateLink() {
  const t = useText()
  const waits = useCreateWaits()
  const { to, label, icon: Icon } = createDestination
  const icon = <Icon size={20} stroke={1.6} aria-hidden="true" />
  const words = { className: classes.create, 'aria-label': t(label) }
  if (waits === undefined) {
    return (
      <Link {...words} to={to}>
        {icon}
      </Link>
    )
  }
  return (
    <button {...words} {...refusedButton(waits)} type="button">
      {icon}
    </button>
  )
}
