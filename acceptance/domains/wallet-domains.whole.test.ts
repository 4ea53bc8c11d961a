/** Every control of every screen pressed: each leads somewhere without a complaint. */
import { expect, it } from 'vitest'
import { findControl, type View, view } from '../stack/crawl/page-view.ts'
import { waitForRest } from '../stack/settled.ts'
import { findRawKey } from '../stack/texts.ts'
import { domainPages, domainStates, openDomainScreen, phoneOf } from './domain-screens.ts'

const locale = 'zh-CN'
it.each([...domainStates, ...domainPages])(
  'every control of the screen %s is pressed, and leads somewhere',
  async (state) => {
    const { page, complaints } = phoneOf(locale)
    const open = async (): Promise<View> => {
      await openDomainScreen(locale, state, { within: true })
      return (await waitForRest<View>(page, { see: view })).seen
    }
    const { controls } = await open()
    expect(controls.length).toBeGreaterThan(0)
    const problems: string[] = []
    for (const [index, { key, kind }] of controls.entries()) {
      if (index > 0) await open()
      const control = await findControl(page, key)
      if (!control || kind === 'refused') continue
      if (kind === 'type') await control.fill('kai')
      else await control.click()
      const { seen } = await waitForRest<View>(page, { see: view })
      const raw = findRawKey(seen.text)
      if (raw) problems.push(`${key}: a text is missing: ${raw}`)
      if (seen.headings.length === 0 && seen.layer === '') problems.push(`${key}: a page without a heading`)
      problems.push(...complaints.splice(0).map((complaint) => `${key}: ${complaint}`))
    }
    expect(problems).toEqual([])
  },
)
