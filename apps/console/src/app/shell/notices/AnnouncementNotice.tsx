import { announcementsNow } from '@atoll/contract/announcements'
import { useCall } from '../../../data/use-call.ts'
import { LazyPart } from '../../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../../locales/language.ts'

const load = async () => {
  const [{ AnnouncementStrips }] = await Promise.all([
    import('../../../announcements/AnnouncementStrips.tsx'),
    loadTextsBeyondHome(),
  ])
  return AnnouncementStrips
}
/** No event tells of each announcement: a page asks, ms. */
const askEveryMs = 2 * 60_000

/** The announcements of operators; their component is fetched only if there are any. */
export function AnnouncementNotice() {
  const { data: announcements = [] } = useCall(announcementsNow, {}, { refetchInterval: askEveryMs })
  return (
    announcements.length > 0 && <LazyPart load={load} wanted onFailure={() => undefined} props={{ announcements }} />
  )
}
