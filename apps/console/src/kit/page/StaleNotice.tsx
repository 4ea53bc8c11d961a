import { Notice } from '@atoll/ui'
import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { sentenceGap } from '../../locales/sentence-gap.ts'
import { useLocale, useText } from '../../locales/text.ts'
import { useNow } from '../browser/use-now.ts'
import { useOnline } from '../browser/use-online.ts'
import { formatTime } from '../format/times.ts'
import classes from './StaleNotice.module.css'

/** Between automatic tries, ms. */
const retryMs = 10_000

interface StaleNoticeProps {
  error: Error
  updatedAt: number
  onRetry: () => void
}

/**
 * The shown data is old: since when, why, and the countdown to the next try. Without a network the banner says enough.
 */
export function StaleNotice({ error, updatedAt, onRetry }: StaleNoticeProps) {
  const t = useText()
  const locale = useLocale()
  const now = useNow(1000)
  const online = useOnline()
  const [due, setDue] = useState(() => Date.now() + retryMs)
  const seconds = Math.max(0, Math.ceil((due - now) / 1000))
  useEffect(() => {
    if (seconds > 0) return
    setDue(Date.now() + retryMs)
    onRetry()
  }, [seconds, onRetry])
  if (!online) return null
  return (
    <div className={classes.stale}>
      <Notice
        tone="coral"
        icon={<IconPlugConnectedX size={18} stroke={1.6} aria-hidden="true" />}
        title={<span role="alert">{error.message}</span>}
        action={
          <Button size="xs" onClick={onRetry}>
            {t('failure.retryNow')}
          </Button>
        }
      >
        {t('home.stale', { time: formatTime(updatedAt, now, locale) })}
        {sentenceGap(locale)}
        {t('home.staleRetry', { seconds })}
      </Notice>
    </div>
  )
}
