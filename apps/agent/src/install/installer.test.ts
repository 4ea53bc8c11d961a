import { describe, expect, test } from 'vitest'
import { openDrive } from '../drive/drive.ts'
import type { Step } from '../drive/install-step.ts'
import { openHome } from '../kernel/home.ts'
import { createLog } from '../kernel/log.ts'
import { openStateStore, type StateStore } from '../kernel/state-store.ts'
import { createTestFolder } from '../testing/seeded-home.ts'
import { createInstaller, type Installer } from './installer.ts'

const quiet = createLog({ write: () => undefined })
const fine: Step = async ({ say }) => say('test', 'fine')

async function createTestInstaller(
  folder: string,
  steps: Record<string, Step>,
): Promise<{ installer: Installer; store: StateStore }> {
  const home = await openHome(folder)
  const store = await openStateStore(home)
  const drive = await openDrive({ root: home.drive, uploads: home.uploads })
  const context = { home, drive, host: '127.0.0.1', port: 1, bootId: 'boot' }
  return { store, installer: createInstaller({ store, log: quiet, steps, context }) }
}

function ended(store: StateStore): Promise<StateStore['current']['install']> {
  return new Promise((resolve) => {
    const check = () => ['done', 'failed'].includes(store.current.install.state) && resolve(store.current.install)
    store.onChange(check)
    check()
  })
}

const task = (taskId: string, steps: string[], version = '1') => ({ type: 'install' as const, taskId, version, steps })

describe('an install', () => {
  test('runs its steps in order and keeps what they said', async () => {
    await using folder = await createTestFolder()
    const { installer, store } = await createTestInstaller(folder.path, { one: fine, two: fine })
    await installer.accept(task('t1', ['one', 'two']))
    const install = await ended(store)
    expect(install).toMatchObject({ state: 'done', taskId: 't1', reason: null })
    expect(install.steps[0]?.lines[0]).toMatch(/^\d\d:\d\d:\d\d test fine$/)
    await installer.accept(task('t1', ['one', 'two']))
    expect(store.current.install).toEqual(install)
  })

  test.each([
    ['ENOSPC', 'The disk of the instance is full.'],
    ['EROFS', 'The disk of the instance is read-only.'],
    ['EACCES', 'The agent may not write to its own folder.'],
  ])('that meets %s says so in plain words, and goes on at that step when sent again', async (code, words) => {
    await using folder = await createTestFolder()
    let isBroken = true
    let runs = 0
    const { installer, store } = await createTestInstaller(folder.path, {
      one: async () => void runs++,
      two: async () => {
        if (isBroken) throw Object.assign(new Error(`${code}: at /secret/path`), { code })
      },
    })
    await installer.accept(task('t1', ['one', 'two']))
    const failed = await ended(store)
    expect(failed).toMatchObject({ state: 'failed', steps: [{ state: 'done' }, { state: 'failed' }] })
    expect(failed.reason).toContain(words)
    expect(JSON.stringify(failed)).not.toContain('/secret/path')
    isBroken = false
    await installer.accept(task('t2', ['one', 'two']))
    expect(await ended(store)).toMatchObject({ state: 'done', taskId: 't2', reason: null })
    expect(runs).toBe(1)
  })

  test('starts again from the first step for another release', async () => {
    await using folder = await createTestFolder()
    let runs = 0
    const { installer, store } = await createTestInstaller(folder.path, { one: async () => void runs++ })
    await installer.accept(task('t1', ['one']))
    await ended(store)
    await installer.accept(task('t2', ['one'], '2'))
    await ended(store)
    expect(runs).toBe(2)
  })

  test('with a step that this agent does not know fails and says which', async () => {
    await using folder = await createTestFolder()
    const { installer, store } = await createTestInstaller(folder.path, {})
    await installer.accept(task('t1', ['constructor']))
    expect((await ended(store)).reason).toContain('“constructor”')
  })

  test('that talks without end keeps its last 200 lines of 500 characters', async () => {
    await using folder = await createTestFolder()
    const { installer, store } = await createTestInstaller(folder.path, {
      one: async ({ say }) => {
        for (let at = 0; at < 300; at++) say('test', `${at}\n${'x'.repeat(1000)}`)
      },
    })
    await installer.accept(task('t1', ['one']))
    const lines = (await ended(store)).steps[0]?.lines ?? []
    expect(lines).toHaveLength(200)
    expect(lines.at(-1)).toMatch(/^\d\d:\d\d:\d\d test 299 x+$/)
    expect(Math.max(...lines.map((line) => line.length))).toBe(500)
  })
})
