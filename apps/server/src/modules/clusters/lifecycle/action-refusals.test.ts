import {
  type ClusterAction,
  type ClusterStatus,
  clusterActions,
  clusterStatuses,
  instanceActions,
} from '@atoll/contract/clusters'
import { locales } from '@atoll/contract/wire'
import { statusLabels } from '@atoll/texts/statuses'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ActionFacts,
  clusterRefusal,
  type InstanceFacts,
  instanceRefusal,
  offerOfCluster,
  offerOfInstance,
  refuseWorkers,
} from './action-refusals.ts'
import type { Position } from './cluster-state.ts'

const resumeStacks: readonly ClusterStatus[][] = [[], ['installing'], ['destroying'], ['running']]
const position: fc.Arbitrary<Position> = fc.record({
  status: fc.constantFrom(...clusterStatuses),
  resume_stack: fc.constantFrom(...resumeStacks),
  given_up: fc.boolean(),
})
const facts: fc.Arbitrary<ActionFacts> = fc.record({
  clusterType: fc.constantFrom('Cloud', 'SelfHost'),
  isOwner: fc.boolean(),
  osActive: fc.boolean(),
  hasPassword: fc.boolean(),
  workerCount: fc.nat(3),
  maxWorkers: fc.nat(3),
  missing: fc.boolean(),
  addressTaken: fc.boolean(),
})
const instanceFacts: fc.Arbitrary<InstanceFacts> = fc.record({
  role: fc.constantFrom('master', 'worker'),
  clusterType: fc.constantFrom('Cloud', 'SelfHost'),
  osActive: fc.boolean(),
  missing: fc.boolean(),
  clusterStatus: fc.constantFrom('running', 'stopped'),
  clusterDesired: fc.constantFrom('running', 'stopped', 'destroyed'),
})
const locale = fc.constantFrom(...locales)

const running: Position = { status: 'running', resume_stack: [] }
const known: ActionFacts = {
  clusterType: 'Cloud',
  isOwner: true,
  osActive: true,
  hasPassword: false,
  workerCount: 1,
  maxWorkers: 2,
  missing: false,
  addressTaken: false,
}

describe('what can be done', () => {
  test('every action is either offered or refused in words without holes, in both languages', () => {
    fc.assert(
      fc.property(position, facts, instanceFacts, locale, (from, cluster, instance, language) => {
        const offers = [
          [offerOfCluster(from, cluster, language), clusterActions],
          [offerOfInstance(from, instance, language), instanceActions],
        ] as const
        for (const [{ actions, refusals }, all] of offers) {
          expect([...actions, ...Object.keys(refusals)].sort()).toEqual([...all].sort())
          for (const words of Object.values(refusals)) {
            expect(words).toMatch(language === 'zh-CN' ? /[。]$/ : /\.$/)
            expect(words).not.toMatch(/[{}]|undefined/)
          }
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('facts are distinguished, in whatever order they come', () => {
    const { osActive, hasPassword, ...rest } = { ...known, osActive: false, hasPassword: true }
    expect(offerOfCluster(running, { osActive, hasPassword, ...rest }, 'en-US').actions).toContain('activate')
    const other = { hasPassword: false, osActive: true, ...rest }
    expect(offerOfCluster(running, other, 'en-US').actions).not.toContain('activate')
  })

  test('the words say what would help', () => {
    const english = (status: ClusterStatus) => offerOfCluster({ status, resume_stack: [] }, known, 'en-US').refusals
    expect(english('running').start).toBe('It is running already.')
    expect(english('stopped').stop).toBe('It is stopped already.')
    expect(english('stopped').addWorker).toBe('It can get a worker only while it is running; it is Stopped.')
    expect(english('installing').stop).toBe('It is Installing right now. Once that has ended, it can be stopped.')
    expect(english('installing').cancel).toBe(
      'Only what still waits for resources can be canceled; this is Installing. You can destroy it instead.',
    )
    expect(english('canceled').destroyMaster).toBe('It is Canceled: nothing can be done with it any more.')
    expect(offerOfCluster(running, known, 'zh-CN').refusals.retry).toBe('没有失败的步骤，无需重试。')
  })

  test('what a refusal promises is so', () => {
    const everyone = { ...known, missing: false }
    for (const status of clusterStatuses) {
      for (const osActive of [false, true]) {
        for (const workerCount of [0, known.maxWorkers]) {
          const facts = { ...everyone, osActive, workerCount, hasPassword: !osActive }
          const from: Position = { status, resume_stack: ['running'] }
          const refusalOf = (at: Position, action: ClusterAction) => clusterRefusal(at, facts, action)
          for (const action of clusterActions) {
            const key = refusalOf(from, action)?.key
            const rests: Position = { status: status === 'stopping' ? 'stopped' : 'running', resume_stack: [] }
            const what = `${action} while ${status}`
            if (key === 'actionWhileMoving') expect(refusalOf(rests, action), what).toBeUndefined()
            if (key === 'tooLateToCancel') expect(refusalOf(from, 'destroyMaster'), what).toBeUndefined()
            if (key === 'nothingToRetry') expect(['errored', 'restore_error'], what).not.toContain(status)
            if (key === 'alreadyActive') expect(osActive, what).toBe(true)
          }
        }
      }
    }
    const english = (status: ClusterStatus) => offerOfCluster({ status, resume_stack: [] }, known, 'en-US').refusals
    expect(english('stopping').stop).toBe('It is being stopped already.')
    expect(english('starting').start).toBe('It is Starting and will run after that: it need not be started.')
    expect(english('stopping').restart).toBe('It can be restarted only while it is running; it is Stopping.')
    expect(english('destroying').cancel).toBe('It is being removed already.')
  })

  test('a worker more than the limit is refused with the number there would be', () => {
    expect(refuseWorkers(known, 1)).toBeUndefined()
    expect(refuseWorkers(known, 2)).toEqual({ key: 'tooManyWorkers', params: { wanted: 3, most: 2 } })
    expect(clusterRefusal(running, { ...known, workerCount: 2 }, 'addWorker')).toMatchObject({ key: 'tooManyWorkers' })
  })

  test('a host is not switched on or off from here, and can be joined by others', () => {
    const own = { ...known, clusterType: 'SelfHost' } as const
    expect(clusterRefusal(running, own, 'stop')).toMatchObject({ key: 'selfHostPower' })
    expect(clusterRefusal({ status: 'stopped', resume_stack: [] }, own, 'start')).toMatchObject({
      key: 'selfHostPower',
    })
    expect(clusterRefusal({ status: 'offline', resume_stack: [] }, { ...own, missing: true }, 'repair')).toBeDefined()
    expect(clusterRefusal(running, own, 'restart')).toBeUndefined()
    expect(clusterRefusal(running, own, 'addWorker')).toBeUndefined()
  })

  test('repair is for what the provider lacks, and for nothing else', () => {
    for (const status of clusterStatuses) {
      const from = { status, resume_stack: ['running'] } as const
      const isOpen = status === 'errored' || status === 'offline'
      expect(clusterRefusal(from, { ...known, missing: true }, 'repair') === undefined, status).toBe(isOpen)
      expect(clusterRefusal(from, known, 'repair'), status).toBeDefined()
    }
    expect(statusLabels['en-US'].errored).toBe('Errored')
  })

  test('a master is not destroyed alone, and a worker of a stopped cluster can only be got rid of', () => {
    const worker: InstanceFacts = {
      role: 'worker',
      clusterType: 'Cloud',
      osActive: false,
      missing: false,
      clusterStatus: 'stopped',
      clusterDesired: 'stopped',
    }
    expect(instanceRefusal(running, { ...worker, role: 'master' }, 'destroyWorker')).toMatchObject({
      key: 'masterByCluster',
    })
    const stopped: Position = { status: 'stopped', resume_stack: [] }
    expect(instanceRefusal(stopped, worker, 'start')).toMatchObject({ key: 'clusterNotRunning' })
    expect(instanceRefusal(stopped, worker, 'destroyWorker')).toBeUndefined()
  })
})
