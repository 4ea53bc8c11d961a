import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { SnapshotRef } from '../api/backups.ts'
import crumbs from '../drive/Breadcrumbs.module.css'
import { listCrumbs } from '../drive/paths.ts'
import { useText } from '../i18n/text.ts'
import { readableName } from './put-back-names.ts'

interface SnapshotCrumbsProps {
  snapshot: SnapshotRef
  /** When it was taken, in words. */
  when: string
  path: string
}

/** The way from all backups to this folder of one; the last part is the page's heading. */
export function SnapshotCrumbs({ snapshot, when, path }: SnapshotCrumbsProps) {
  const t = useText()
  const parts = [{ name: when, path: '/' }, ...listCrumbs(path)]
  const arrow = <IconChevronRight size={16} stroke={1.6} aria-hidden="true" className={crumbs.arrow} />
  return (
    <nav aria-label={t('drive.path')} className={crumbs.way}>
      <ol className={crumbs.crumbs}>
        <li className={crumbs.crumb}>
          <Link to="/backups" className={crumbs.link}>
            {t('backups.title')}
          </Link>
          {arrow}
        </li>
        {parts.slice(0, -1).map((part) => (
          <li key={part.path} className={crumbs.crumb}>
            <Link
              to="/backups/$backupId/$snapshotId"
              params={{ ...snapshot }}
              search={part.path === '/' ? {} : { path: part.path }}
              className={crumbs.link}
            >
              {readableName(part.name)}
            </Link>
            {arrow}
          </li>
        ))}
        <li className={crumbs.here} aria-current="page">
          <h1 tabIndex={-1}>{readableName(parts.at(-1)?.name ?? '')}</h1>
        </li>
      </ol>
    </nav>
  )
}
