import type { InstallLog } from '@atoll/contract/clusters'
import { expect, test } from 'vitest'
import { isAwaitingHost, logLines, parseInstallLog, progressSteps } from './progress-steps.ts'

const createAt = '2026-03-17T14:00:00.000Z'
const at = (seconds: number) => new Date(Date.parse(createAt) + seconds * 1000).toISOString()
const now = Date.parse(at(60))
const log: InstallLog = [
  { step: 'prepare', state: 'done', startedAt: at(20), endedAt: at(28), lines: ['14:00:20 agent one'] },
  { step: 'fetch', state: 'running', startedAt: at(28), endedAt: null, lines: ['14:00:30 agent two'] },
  { step: 'handover', state: 'pending', startedAt: null, endedAt: null, lines: [] },
]

test.each(['fetching', 'queuing', 'pending'] as const)('while %s the instance is being started', (status) => {
  expect(progressSteps({ status, createAt }, [], now)).toEqual([
    { key: 'machine', state: 'running', ms: 60_000 },
    { key: 'install', state: 'pending', ms: null },
  ])
})

test('the log says how far the install is', () => {
  expect(progressSteps({ status: 'installing', createAt }, log, now)).toEqual([
    { key: 'machine', state: 'done', ms: 20_000 },
    { key: 'prepare', state: 'done', ms: 8000 },
    { key: 'fetch', state: 'running', ms: 32_000 },
    { key: 'handover', state: 'pending', ms: null },
  ])
})

test.each(['errored', 'restore_error'] as const)('of a cluster that is %s no step goes on', (status) => {
  expect(progressSteps({ status, createAt }, log, now).map(({ state, ms }) => [state, ms])).toEqual([
    ['done', 20_000],
    ['done', 8000],
    ['failed', null],
    ['pending', null],
  ])
})

test('a machine that never came is the step that failed', () => {
  expect(progressSteps({ status: 'errored', createAt }, [], now)[0]).toMatchObject({ key: 'machine', state: 'failed' })
})

test('days after the order, the time since it says nothing', () => {
  const later = Date.parse(createAt) + 86_400_000
  expect(progressSteps({ status: 'fetching', createAt }, [], later)[0]?.ms).toBeNull()
})

test.each(['', 'rubbish', '{}', '[{"step":1}]', 'null'])('the log %s is an empty one', (text) => {
  expect(parseInstallLog(text)).toEqual([])
})

test('lines come in order', () => {
  expect(logLines(parseInstallLog(JSON.stringify(log)))).toEqual(['14:00:20 agent one', '14:00:30 agent two'])
})

test.each([
  ['SelfHost', 'queuing', 0, true],
  ['SelfHost', 'errored', 0, true],
  ['SelfHost', 'destroying', 0, false],
  ['SelfHost', 'installing', 8, false],
  ['SelfHost', 'offline', 8, false],
  ['Cloud', 'queuing', 4, false],
] as const)(
  'a %s cluster that is %s with %d cores waits for its host: %s',
  (clusterType, status, cpuCoreCount, waits) => {
    expect(isAwaitingHost({ clusterType, status, cpuCoreCount })).toBe(waits)
  },
)
