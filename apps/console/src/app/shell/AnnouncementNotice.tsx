import { announcementsNow } from '@atoll/contract/announcements'
import { useCall } from '../../data/use-call.ts'
import { LazyPart } from '../../kit/page/LazyPart.tsx'
import { loadTextsBeyondHome } from '../../locales/language.ts'

const load = async () => {
  const [{ AnnouncementStrips }] = await Promise.all([
    import('../../announcements/AnnouncementStrips.tsx'),
    loadTextsBeyondHome(),
  ])
  return AnnouncementStrips
}
/** Nobody is told of each one: a page asks, ms. */
const askEveryMs = 2 * 60_000

/** What operators announce; while they announce nothing, no more is fetched. */
export function AnnouncementNotice() {
  const { data: announcements = [] } = useCall(announcementsNow, {}, { refetchInterval: askEveryMs })
  return (
    announcements.length > 0 && <LazyPart load={load} wanted onFailure={() => undefined} props={{ announcements }} />
  )
}
