import { useText } from '../i18n/text.ts'
import { splitDuration } from '../i18n/times.ts'

/** ms as its two largest units: `3 days, 4 hours`. */
export function useDurationText(): (ms: number) => string {
  const t = useText()
  return (ms) => {
    const { days, hours, minutes } = splitDuration(ms)
    const two = (first: string, second: string) => t('duration.two', { first, second })
    if (days > 0) return two(t('duration.days', { count: days }), t('duration.hours', { count: hours }))
    if (hours > 0) return two(t('duration.hours', { count: hours }), t('duration.minutes', { count: minutes }))
    return minutes > 0 ? t('duration.minutes', { count: minutes }) : t('duration.short')
  }
}
