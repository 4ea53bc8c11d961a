import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useText } from '../kit/i18n/text.ts'
import classes from './ActivityPage.module.css'

interface ActivityPagerProps {
  page: number
  rowsPerPage: number
  rowsNumber: number
  onPage: (page: number) => void
}

/** Which records are shown, and the way to earlier and later ones; nothing when one page holds all. */
export function ActivityPager({ page, rowsPerPage, rowsNumber, onPage }: ActivityPagerProps) {
  const t = useText()
  const last = Math.max(1, Math.ceil(rowsNumber / rowsPerPage))
  if (last === 1) return null
  const from = (page - 1) * rowsPerPage + 1
  return (
    <nav className={classes.pager} aria-label={t('activity.pages')}>
      <span>{t('activity.range', { from, to: Math.min(page * rowsPerPage, rowsNumber), total: rowsNumber })}</span>
      <Button
        size="xs"
        disabled={page <= 1}
        leftSection={<IconChevronLeft size={15} stroke={1.6} aria-hidden="true" />}
        onClick={() => onPage(page - 1)}
      >
        {t('activity.later')}
      </Button>
      <Button
        size="xs"
        disabled={page >= last}
        rightSection={<IconChevronRight size={15} stroke={1.6} aria-hidden="true" />}
        onClick={() => onPage(page + 1)}
      >
        {t('activity.earlier')}
      </Button>
    </nav>
  )
}
