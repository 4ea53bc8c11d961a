import { keepInTab, readFromTab } from '../../kit/browser/tab-storage.ts'

/** How many are kept, the last first. */
const most = 6
/** Pages of one object. Only their paths are kept: what has another name since is shown by it. */
const ofObject = /^\/(?:cluster|backupDetails|domain|payment)\/[^/?#]+/

const keyOf = (userid: string) => `atoll.recent ${userid}`

/** Notes that a page was left or opened in this tab; of no object, nothing. */
export function noteVisit(userid: string, href: string): void {
  const [path] = ofObject.exec(href) ?? []
  if (path === undefined) return
  const visits = [path, ...readVisits(userid).filter((one) => one !== path)].slice(0, most)
  keepInTab(keyOf(userid), visits.join('\n'))
}

/** Paths of the objects whose pages were opened in this tab, the last first. */
export function readVisits(userid: string): string[] {
  return (readFromTab(keyOf(userid)) ?? '').split('\n').filter((path) => ofObject.test(path))
}
