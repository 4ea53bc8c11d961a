import type { Announcement } from '@atoll/contract/announcements'
import { announcementKindLabel } from '@atoll/texts/announced'
import { Notice } from '@atoll/ui'
import { formatDayAndTime, formatDayAndTimeWithin } from '../kit/format/times.ts'
import { UnreadableRows } from '../kit/table/UnreadableRows.tsx'
import { useLocale, useText } from '../locales/text.ts'
import classes from './AnnouncementStrips.module.css'

/** Announcements of operators on every page: kind, time, and a link to the full text. */
export function AnnouncementStrips({ announcements }: { announcements: readonly Announcement[] }) {
  const t = useText()
  const locale = useLocale()
  const at = (time: string) => formatDayAndTimeWithin(time, Date.now(), locale)
  const when = ({ startsAt, endsAt }: Announcement) => {
    const isAhead = Date.parse(startsAt) > Date.now()
    if (endsAt)
      return t('announced.window', { from: formatDayAndTime(startsAt, Date.now(), locale), until: at(endsAt) })
    return t(isAhead ? 'announced.from' : 'announced.since', { from: at(startsAt) })
  }
  return announcements.map((one) => {
    const kind = announcementKindLabel(one.kind, locale)
    const title = t('announced.title', { kind, title: one.title[locale] })
    return (
      <section key={one.announcementId} className={classes.strip} aria-label={title}>
        <Notice
          tone={one.kind === 'incident' ? 'coral' : 'accent'}
          title={title}
          action={
            <a className="link" href={`/status?lang=${locale === 'zh-CN' ? 'zh' : 'en'}`}>
              {t('announced.status')}
            </a>
          }
        >
          {one.updates.at(-1)?.text[locale]} {when(one)}
          <UnreadableRows of={one.updates} />
        </Notice>
      </section>
    )
  })
}
