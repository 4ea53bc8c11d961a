import { expect, it } from 'vitest'
import { OperatorError } from '../../../platform/operator-error.ts'
import type { Outlook } from './decide.ts'
import { type Machine, rollback, upgrade } from './steps.ts'

interface Harness {
  current: string
  previous: string | undefined
  interrupted: string | undefined
  laidOut: string[]
  /** In order, what was done. */
  did: string[]
  looks: number
}

/** A machine with versions 1.3.0, 1.4.0 (in use) and 1.5.0; `over` says what goes wrong. */
function machineWith(over: (harness: Harness) => Partial<Machine> = () => ({})): {
  harness: Harness
  machine: Machine
} {
  const harness: Harness = {
    current: '1.4.0',
    previous: '1.3.0',
    laidOut: ['1.3.0', '1.4.0', '1.5.0'],
    did: [],
    looks: 0,
    interrupted: undefined,
  }
  const did = (what: string) => void harness.did.push(what)
  const machine: Machine = {
    say: () => undefined,
    current: () => harness.current,
    previous: () => harness.previous,
    notePrevious(version) {
      harness.previous = version
    },
    interrupted: () => harness.interrupted,
    noteSwitch(from) {
      harness.interrupted = from
    },
    listLaidOut: () => harness.laidOut,
    ask: async () => expanding,
    backUp: async () => did('back up'),
    copy: async () => did('copy'),
    migrate: async (version) => did(`migrate ${version}`),
    use(version) {
      harness.current = version
      did(`use ${version}`)
    },
    listRoles: async () => ['worker', 'api'],
    restart: async (role) => did(`${role} ${harness.current}`),
    async findUnready() {
      harness.looks += 1
      return undefined
    },
    pause: async () => undefined,
    remove(version) {
      harness.laidOut = harness.laidOut.filter((one) => one !== version)
    },
  }
  return { harness, machine: { ...machine, ...over(harness) } }
}

const expanding: Outlook = { pending: [{ name: '0600-a.sql', oldestProgram: '1.4.0' }], databaseBytes: 1e9 }
const contracting: Outlook = { pending: [{ name: '0600-a.sql' }], databaseBytes: 1e9 }
const wanted = { isBackedUp: true, isCopied: false, isOneWay: false }
const forward = ['back up', 'migrate 1.5.0', 'use 1.5.0', 'worker 1.5.0']
const back = ['use 1.4.0', 'worker 1.4.0', 'api 1.4.0']

it('backs up, migrates, switches the worker first, watches a minute, and keeps two versions', async () => {
  const { harness, machine } = machineWith()
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('done')
  expect(harness).toMatchObject({ did: [...forward, 'api 1.5.0'], looks: 60, current: '1.5.0', previous: '1.4.0' })
  expect(harness.laidOut).toEqual(['1.4.0', '1.5.0'])
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('nothing to do')
})

it('switches where no role runs, watches nothing, says so, and keeps every version', async () => {
  const said: string[] = []
  const { harness, machine } = machineWith(() => ({ listRoles: async () => [], say: (line) => void said.push(line) }))
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('done')
  expect(harness).toMatchObject({ looks: 0, current: '1.5.0', previous: '1.4.0', interrupted: undefined })
  expect(harness.laidOut).toEqual(['1.3.0', '1.4.0', '1.5.0'])
  expect(said.at(-1)).toContain('nothing was watched')
})

it('leaves everything as it is where the new version refuses, nothing leads back, or no backup is had', async () => {
  const refuse = async () => Promise.reject(new OperatorError('refused here'))
  for (const over of [{ ask: refuse }, { ask: async () => contracting }, { backUp: refuse }]) {
    const { harness, machine } = machineWith(() => over)
    await expect(upgrade(machine, '1.5.0', wanted)).rejects.toThrow(OperatorError)
    expect(harness).toMatchObject({ did: [], current: '1.4.0', previous: '1.3.0' })
  }
})

it('switches nothing after a migration that failed', async () => {
  const { harness, machine } = machineWith(() => ({ migrate: async () => Promise.reject(new Error('no such table')) }))
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('not switched')
  expect(harness).toMatchObject({ did: ['back up'], current: '1.4.0', previous: '1.3.0' })
  expect(harness.laidOut).toHaveLength(3)
})

it('goes back at the first role that does not start, before the others are touched', async () => {
  const { harness, machine } = machineWith((harness) => ({
    async restart(role) {
      harness.did.push(`${role} ${harness.current}`)
      if (harness.current === '1.5.0') throw new OperatorError(`${role} does not start`)
    },
  }))
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('went back')
  expect(harness).toMatchObject({ did: [...forward, ...back], current: '1.4.0', previous: '1.3.0' })
})

it('goes back when a role turns unready while it is watched', async () => {
  const { harness, machine } = machineWith((harness) => ({
    findUnready: async () => (++harness.looks > 30 ? 'api answers 503' : undefined),
  }))
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('went back')
  expect(harness).toMatchObject({ looks: 33, did: [...forward, 'api 1.5.0', ...back], current: '1.4.0' })
})

/** A database that was migrated for 1.5.0, on which 1.4.0 may not run. */
const changed = async (version: string) => {
  if (version === '1.4.0') throw new OperatorError('newer than this program')
  return { pending: [], databaseBytes: 1e9 }
}

it('goes on where it was killed while it switched, and watches', async () => {
  const { harness, machine } = machineWith((harness) => ({
    async restart(role) {
      harness.did.push(`${role} ${harness.current}`)
      if (harness.did.length === 4) throw new Error('killed')
    },
    ask: async () => ({ pending: [], databaseBytes: 1e9 }),
    say(line) {
      if (line.includes('killed')) throw new Error('killed')
    },
  }))
  await expect(upgrade(machine, '1.5.0', wanted)).rejects.toThrow('killed')
  expect(harness).toMatchObject({ current: '1.5.0', previous: '1.3.0' })
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('done')
  expect(harness.did.slice(4)).toEqual([...forward, 'api 1.5.0'])
  expect(harness).toMatchObject({ looks: 60, previous: '1.4.0', interrupted: undefined, laidOut: ['1.4.0', '1.5.0'] })
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('nothing to do')
})

it('undoes a switch that was killed', async () => {
  const { harness, machine } = machineWith(() => ({ ask: async () => ({ pending: [], databaseBytes: 1e9 }) }))
  Object.assign(harness, { current: '1.5.0', interrupted: '1.4.0' })
  expect(await rollback(machine)).toBe('done')
  expect(harness).toMatchObject({ did: back, current: '1.4.0', previous: '1.5.0', interrupted: undefined })
})

it('does not go back to a version that an earlier try has shut out', async () => {
  const { harness, machine } = machineWith(() => ({ ask: changed, findUnready: async () => 'api answers 503' }))
  expect(await upgrade(machine, '1.5.0', wanted)).toBe('failed')
  expect(harness).toMatchObject({ did: [...forward, 'api 1.5.0'], current: '1.5.0' })
})

it('says so where the migrations before the one that failed have shut the version in use out', async () => {
  let isChanged = false
  const { harness, machine } = machineWith(() => ({
    ask: async (version) => (isChanged ? await changed(version) : contracting),
    async migrate() {
      isChanged = true
      throw new Error('no such table')
    },
  }))
  expect(await upgrade(machine, '1.5.0', { ...wanted, isOneWay: true })).toBe('failed')
  expect(harness.current).toBe('1.4.0')
})

it('says that it needs an operator where the version before cannot run, and takes the copy that leads back', async () => {
  const { harness, machine } = machineWith((harness) => ({
    ask: async (version) => (harness.current === '1.5.0' ? await changed(version) : contracting),
    findUnready: async () => 'api answers 503',
  }))
  expect(await upgrade(machine, '1.5.0', { ...wanted, isCopied: true })).toBe('failed')
  expect(harness.did).toEqual(['back up', 'copy', ...forward.slice(1), 'api 1.5.0'])
})

it('rolls back the program alone, forward again, and refuses what the database does not let run', async () => {
  const { harness, machine } = machineWith(() => ({ ask: async () => ({ pending: [], databaseBytes: 1e9 }) }))
  expect(await rollback(machine)).toBe('done')
  expect(harness).toMatchObject({ did: ['use 1.3.0', 'worker 1.3.0', 'api 1.3.0'], previous: '1.4.0' })
  expect(await rollback(machine)).toBe('done')
  expect(harness).toMatchObject({ current: '1.4.0', previous: '1.3.0' })
  const refused = machineWith(() => ({ ask: async () => Promise.reject(new OperatorError('newer than this program')) }))
  await expect(rollback(refused.machine)).rejects.toThrow('newer than this program')
  await expect(rollback(machineWith(() => ({ previous: () => undefined })).machine)).rejects.toThrow('No version')
  expect(refused.harness.did).toEqual([])
})
