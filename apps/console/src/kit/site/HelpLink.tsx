import { Link } from '@tanstack/react-router'
import { useText } from '../../locales/text.ts'
import classes from './SiteLinks.module.css'

interface HelpLinkProps {
  /** Of the help. */
  page: 'backups' | 'domains' | 'billing'
}

/** At the foot of a page: how what it shows works. */
export function HelpLink({ page }: HelpLinkProps) {
  const t = useText()
  return (
    <p className={classes.help}>
      <Link to="/help/{-$page}" params={{ page }}>
        {t(`helpAbout.${page}`)}
      </Link>
    </p>
  )
}
