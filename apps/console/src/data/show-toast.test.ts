import { beforeEach, expect, it, vi } from 'vitest'
import { startConsole, stubBrowser } from '../testing/browser.ts'
import { CallFailure } from './call-failure.ts'
import { closeToast, showFailure, shownToasts, showToast } from './show-toast.ts'

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

it('says the same thing once, and as new', () => {
  showToast({ kind: 'failure', text: 'Network error' })
  const [before] = shownToasts()
  showToast({ kind: 'failure', text: 'Network error' })
  expect(texts()).toEqual(['Network error'])
  expect(shownToasts()[0]?.id).not.toBe(before?.id)
})

it('shows a failure in its words, and keeps a silent one to itself', () => {
  showFailure(new CallFailure({ kind: 'silent', code: 401, path: '/x', message: 'not shown' }))
  expect(texts()).toEqual([])
  showFailure(new CallFailure({ kind: 'network', path: '/x' }))
  expect(texts()).toEqual(['Network error, please try again later'])
})
