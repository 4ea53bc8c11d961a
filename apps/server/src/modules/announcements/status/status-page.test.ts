import { expect, test } from 'vitest'
import { renderFeed } from './status-feed.ts'
import { renderStatus } from './status-page.ts'
import type { StatusReport } from './status-store.ts'

const at = '2026-11-28T12:00:00.000Z'
const both = (text: string) => ({ 'en-US': text, 'zh-CN': text })
const incident: StatusReport['announcements'][number] = {
  announcementId: 'an_00000001',
  kind: 'incident',
  impact: 'down',
  components: [],
  regions: [],
  endsAt: null,
  title: both('Slow\u000b<starts>'),
  startsAt: '2026-11-28T11:00:00.000Z',
  endedAt: null,
  updates: [{ at: '2026-11-28T10:00:00.000Z', text: both('We look.\u0001') }],
}
const report = (...announcements: StatusReport['announcements']): StatusReport => ({
  at,
  announcements,
  parts: [{ component: 'signIn', region: null, state: 'works', days: [] }],
})
const links = { other: '/', feed: '/', console: '/', fonts: '/' }
const page = (of: StatusReport, isOld = false) =>
  renderStatus(of, { product: 'Atoll', locale: 'en-US', isOld, links }).body

test('the heading says no better than what goes on, and nothing where the report is old', () => {
  expect(page(report())).toContain('<h1>Everything works</h1>')
  expect(page(report(incident))).toContain('<h1>Some parts do not work</h1>')
  expect(page(report(incident))).toContain('Since ')
  expect(page(report({ ...incident, endedAt: at }))).toContain('<h1>Everything works</h1>')
  expect(page(report(), true)).toContain('<h1>Not known at the moment</h1>')
})

test('maintenance that was ended before its start is called canceled', () => {
  const early = { ...incident, startsAt: '2026-11-29T11:00:00.000Z', endedAt: at }
  expect(page(report(early))).toContain('Canceled before it began')
  expect(page(report({ ...early, endedAt: '2026-11-29T12:00:00.000Z' }))).not.toContain('Canceled')
})

test('the feed has no character that XML does not', () => {
  const feed = renderFeed(report(incident), { product: 'Atoll', locale: 'en-US', page: 'https://atoll.test/status' })
  expect(feed).toContain('<title>Slow &lt;starts&gt;</title>')
  expect(feed).not.toMatch(/[^\P{Cc}\n]/u)
})
