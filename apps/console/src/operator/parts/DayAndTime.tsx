import { formatDayAndTime } from '../../kit/format/times.ts'
import { NoValue } from '../../kit/table/NoValue.tsx'
import { useLocale } from '../../locales/text.ts'

/** A time of a row, with the whole of it at hand. */
export function DayAndTime({ at }: { at: string | null }) {
  const locale = useLocale()
  if (at === null) return <NoValue />
  return (
    <time dateTime={at} title={at}>
      {formatDayAndTime(at, Date.now(), locale)}
    </time>
  )
}
