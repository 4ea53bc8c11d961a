import { beforeEach, expect, it, vi } from 'vitest'
import { CallFailure } from '../../data/call-failure.ts'
import { startConsole, stubBrowser } from '../../testing/browser.ts'
import { closeNotice, isPassing, showFailure, showNotice, shownNotices } from './show-notice.ts'

beforeEach(async () => {
  for (const { id } of shownNotices()) closeNotice(id)
  stubBrowser()
  await startConsole()
  return () => vi.unstubAllGlobals()
})
const texts = () => shownNotices().map(({ text }) => text)

it('shows notices in their order and closes each on its own', () => {
  const close = showNotice({ kind: 'success', text: 'one' })
  showNotice({ kind: 'failure', text: 'two' })
  expect(texts()).toEqual(['one', 'two'])
  close()
  close()
  expect(texts()).toEqual(['two'])
})

it('lets only news without an action pass by itself', () => {
  const action = { label: 'Undo', onSelect: () => undefined }
  expect(isPassing({ kind: 'success', text: '' })).toBe(true)
  expect(isPassing({ kind: 'info', text: '' })).toBe(true)
  expect(isPassing({ kind: 'success', text: '', action })).toBe(false)
  expect(isPassing({ kind: 'failure', text: '' })).toBe(false)
})

it('says the same thing once, and as new', () => {
  showNotice({ kind: 'failure', text: 'Network error' })
  const [before] = shownNotices()
  showNotice({ kind: 'failure', text: 'Network error' })
  expect(texts()).toEqual(['Network error'])
  expect(shownNotices()[0]?.id).not.toBe(before?.id)
})

it('drops the oldest passing notice when there are many, never a failure', () => {
  showNotice({ kind: 'failure', text: 'failed' })
  for (const text of ['a', 'b', 'c', 'd']) showNotice({ kind: 'success', text })
  expect(texts()).toEqual(['failed', 'b', 'c', 'd'])
  for (const text of ['e', 'f', 'g', 'h', 'i']) showNotice({ kind: 'failure', text })
  expect(texts()).toEqual(['failed', 'e', 'f', 'g', 'h', 'i'])
})

it('tells a failure in its words, and keeps a silent one to itself', () => {
  showFailure(new CallFailure({ kind: 'silent', code: 401, path: '/x', message: 'not told' }))
  expect(texts()).toEqual([])
  showFailure(new CallFailure({ kind: 'network', path: '/x' }))
  expect(texts()).toEqual(['Network error, please try again later'])
})
