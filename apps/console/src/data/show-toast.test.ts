import { beforeEach, expect, it, vi } from 'vitest'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { CallFailure } from './call-failure.ts'
import { closeToast, isPassing, showFailure, shownToasts, showToast } from './show-toast.ts'

beforeEach(async () => {
  for (const { id } of shownToasts()) closeToast(id)
  stubBrowser()
  await startConsole()
  return () => vi.unstubAllGlobals()
})
const texts = () => shownToasts().map(({ text }) => text)

it('shows toasts in their order and closes each on its own', () => {
  const close = showToast({ kind: 'success', text: 'one' })
  showToast({ kind: 'failure', text: 'two' })
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
  showToast({ kind: 'failure', text: 'Network error' })
  const [before] = shownToasts()
  showToast({ kind: 'failure', text: 'Network error' })
  expect(texts()).toEqual(['Network error'])
  expect(shownToasts()[0]?.id).not.toBe(before?.id)
})

it('drops the oldest passing toast when there are many, never a failure', () => {
  showToast({ kind: 'failure', text: 'failed' })
  for (const text of ['a', 'b', 'c', 'd']) showToast({ kind: 'success', text })
  expect(texts()).toEqual(['failed', 'b', 'c', 'd'])
  for (const text of ['e', 'f', 'g', 'h', 'i']) showToast({ kind: 'failure', text })
  expect(texts()).toEqual(['failed', 'e', 'f', 'g', 'h', 'i'])
})

it('shows a failure in its words, and keeps a silent one to itself', () => {
  showFailure(new CallFailure({ kind: 'silent', code: 401, path: '/x', message: 'not shown' }))
  expect(texts()).toEqual([])
  showFailure(new CallFailure({ kind: 'network', path: '/x' }))
  expect(texts()).toEqual(['Network error, please try again later'])
})
