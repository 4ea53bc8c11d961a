import { Button } from '@mantine/core'
import { useState } from 'react'
import { useText } from '../../locales/text.ts'

/** Rows that are drawn at first, and that each press adds: an Admin may see thousands. */
const step = 100

export interface FirstRows<T> {
  rows: T[]
  /** How many are not drawn yet. */
  hidden: number
  showMore: () => void
}

/** The first of many rows, and more on demand. */
export function useFirstRows<T>(all: T[]): FirstRows<T> {
  const [shown, setShown] = useState(step)
  return {
    rows: all.slice(0, shown),
    hidden: Math.max(0, all.length - shown),
    showMore: () => setShown(shown + step),
  }
}

/** Draws the next rows; nothing where all are drawn. */
export function ShowMore({ hidden, onShow }: { hidden: number; onShow: () => void }) {
  const t = useText()
  if (hidden === 0) return null
  return (
    <Button mt="md" onClick={onShow}>
      {t('home.showMore', { count: Math.min(hidden, step), hidden })}
    </Button>
  )
}
