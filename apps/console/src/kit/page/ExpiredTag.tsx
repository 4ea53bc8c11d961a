import { useText } from '../../locales/text.ts'
import classes from './ExpiredTag.module.css'

/** Marks an account whose session has run out. */
export function ExpiredTag() {
  return <span className={classes.tag}>{useText()('accounts.expired')}</span>
}
