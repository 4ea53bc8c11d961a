import { expect, test } from 'vitest'
import { isObvious } from './obvious-refusals.ts'

const [cloud, host] = [
  { isSelfHosted: false, osActive: false },
  { isSelfHosted: true, osActive: false },
]

test.each([
  ['start', { status: 'running' }, cloud, true],
  ['start', { status: 'installing' }, cloud, false],
  ['start', { status: 'running' }, host, false],
  ['stop', { status: 'stopped' }, cloud, true],
  ['stop', { status: 'stopping' }, cloud, true],
  ['stop', { status: 'restarting' }, cloud, false],
  ['stop', { status: 'running' }, host, false],
  ['restart', { status: 'stopped' }, cloud, true],
  ['restart', { status: 'starting' }, cloud, false],
  ['activate', { status: 'running' }, { ...cloud, osActive: true }, true],
  ['activate', { status: 'stopped' }, cloud, false],
  ['addWorker', { status: 'running' }, cloud, false],
  ['addWorker', { status: 'destroying' }, cloud, true],
  ['destroyWorker', { status: 'running', role: 'master' }, cloud, true],
  ['destroyWorker', { status: 'starting', role: 'worker' }, cloud, false],
] as const)('%s of %j is refused for a reason that the status says: %#', (action, thing, kind, obvious) => {
  expect(isObvious(action, thing, kind)).toBe(obvious)
})
