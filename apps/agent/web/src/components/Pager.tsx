import { formatFigure } from '@atoll/ui/i18n'
import { Button } from '@mantine/core'
import { useLocale, useText } from '../i18n/text.ts'
import classes from './Pager.module.css'

interface PageRangeProps {
  offset: number
  /** Entries that are shown, and all. */
  shown: number
  total: number
  /** Said where there are none. */
  none?: string
}

/** Says which of all entries are shown. */
export function PageRange({ offset, shown, total, none }: PageRangeProps) {
  const t = useText()
  const locale = useLocale()
  const figure = (count: number) => formatFigure(count, 0, locale)
  return (
    <p className={classes.range} role="status">
      {total === 0
        ? none
        : t('pager.range', {
            count: total,
            from: figure(offset + 1),
            to: figure(offset + shown),
            all: figure(total),
          })}
    </p>
  )
}

interface PagerProps {
  /** Entries before the page that is shown. */
  offset: number
  /** Entries of a page. */
  size: number
  hasNext: boolean
  onOffset(offset: number): void
}

/** Leads to the page before and the one after; nothing where there is only one. */
export function Pager({ offset, size, hasNext, onOffset }: PagerProps) {
  const t = useText()
  if (offset === 0 && !hasNext) return null
  return (
    <nav className={classes.pages} aria-label={t('pager.title')}>
      <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - size))}>
        {t('pager.previous')}
      </Button>
      <Button disabled={!hasNext} onClick={() => onOffset(offset + size)}>
        {t('pager.next')}
      </Button>
    </nav>
  )
}
