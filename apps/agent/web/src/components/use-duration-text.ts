import { useText } from '../i18n/text.ts'

/** ms as its two largest units: `3 days, 4 hours`. */
export function useDurationText(): (ms: number) => string {
  const t = useText()
  return (ms) => {
    const whole = Math.floor(ms / 60_000)
    const [days, hours, minutes] = [Math.floor(whole / 1440), Math.floor(whole / 60) % 24, whole % 60]
    const two = (first: string, second: string) => t('duration.two', { first, second })
    if (days > 0) return two(t('duration.days', { count: days }), t('duration.hours', { count: hours }))
    if (hours > 0) return two(t('duration.hours', { count: hours }), t('duration.minutes', { count: minutes }))
    return minutes > 0 ? t('duration.minutes', { count: minutes }) : t('duration.short')
  }
}
