import type { PageFigures } from '@atoll/contract/wire'
import { formatFigure } from '@atoll/ui/i18n'
import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useLocale, useText } from '../../locales/text.ts'
import classes from './Pager.module.css'

interface PagerProps extends PageFigures {
  /** Name of the list that it pages: a page may have two. */
  list: string
  onPage: (page: number) => void
}

/** Which rows of how many are shown, and the steps to the pages before and after. */
export function Pager({ page, rowsPerPage, rowsNumber, isAbout, list, onPage }: PagerProps) {
  const t = useText()
  const locale = useLocale()
  const figure = (count: number) => formatFigure(count, 0, locale)
  const last = lastPage({ rowsPerPage, rowsNumber })
  const from = (page - 1) * rowsPerPage + 1
  return (
    <nav className={classes.pager} aria-label={t('table.pages', { list })}>
      <span>
        {t(isAbout ? 'table.rangeAbout' : 'table.range', {
          from: figure(from),
          to: figure(Math.min(page * rowsPerPage, rowsNumber)),
          total: figure(rowsNumber),
        })}
      </span>
      <ActionIcon
        size={30}
        variant="subtle"
        aria-label={t('table.previous', { list })}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <IconChevronLeft size={16} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
      <ActionIcon
        size={30}
        variant="subtle"
        aria-label={t('table.next', { list })}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        <IconChevronRight size={16} stroke={1.6} aria-hidden="true" />
      </ActionIcon>
    </nav>
  )
}

/** The page that holds the last row; 1 when there is none. */
export function lastPage({ rowsPerPage, rowsNumber }: Pick<PageFigures, 'rowsPerPage' | 'rowsNumber'>): number {
  return Math.max(1, Math.ceil(rowsNumber / rowsPerPage))
}
