import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useText } from '../i18n/text.ts'
import classes from './Breadcrumbs.module.css'
import { tipOfName } from './cut-name.ts'
import { FileName } from './FileName.tsx'
import { listCrumbs } from './paths.ts'

interface BreadcrumbsProps {
  path: string
}

/** The way from the drive to this folder; the last part is the page's heading. */
export function Breadcrumbs({ path }: BreadcrumbsProps) {
  const t = useText()
  const crumbs = [{ name: t('drive.root'), path: '/' }, ...listCrumbs(path)]
  const last = crumbs.at(-1)
  return (
    <nav aria-label={t('drive.path')} className={classes.way}>
      <ol className={classes.crumbs}>
        {crumbs.slice(0, -1).map((crumb) => (
          <li key={crumb.path} className={classes.crumb}>
            <Link
              to="/"
              search={crumb.path === '/' ? {} : { path: crumb.path }}
              className={classes.link}
              data-tip={tipOfName(crumb.name)}
            >
              <FileName name={crumb.name} />
            </Link>
            <IconChevronRight size={16} stroke={1.6} aria-hidden="true" className={classes.arrow} />
          </li>
        ))}
        <li className={classes.here} aria-current="page">
          <h1 tabIndex={-1}>{last?.name}</h1>
        </li>
      </ol>
    </nav>
  )
}
