import { expect, it } from 'vitest'
import { type Checked, createCheckWatch } from './check-conditions.ts'
import { nameOn } from './decide.ts'

const mail = (state: Checked['state']): Checked => ({
  name: 'mail',
  title: 'Mail is accepted',
  state,
  found: 'No answer.',
  mend: 'Set another server:',
  commands: ['atollctl setup'],
})

it('knows a failure once a check has failed twice in a row, in words that say what to do, and its end at once', async () => {
  let state: Checked['state'] = 'failed'
  const { conditions, refresh } = createCheckWatch(['mail', 'lxd'], async () => [mail(state)])
  const look = async () => {
    const [first] = conditions
    return first?.isKnown?.() ? await first.find() : 'unknown'
  }
  expect(await look()).toBe('unknown')
  await refresh()
  expect(await look()).toBe('unknown')
  await refresh()
  expect(await look()).toBe('“Mail is accepted” is not so. No answer. Set another server: atollctl setup')
  for (state of ['warning', 'skipped', 'passed'] as const) {
    await refresh()
    expect(await look()).toBeUndefined()
  }
  expect(conditions.map(({ name }) => nameOn('hel-1', name))).toEqual(['check mail on hel-1', 'check lxd on hel-1'])
  expect(conditions[1]?.isKnown?.()).toBe(false)
})

it('knows neither a failure nor an end of what could not be seen', async () => {
  let found: Checked = mail('failed')
  const { conditions, refresh } = createCheckWatch(['mail'], async () => [found])
  await refresh()
  await refresh()
  expect(conditions[0]?.isKnown?.()).toBe(true)
  for (found of [{ ...mail('skipped'), isUnseen: true }, mail('failed')] satisfies Checked[]) {
    await refresh()
    expect(conditions[0]?.isKnown?.()).toBe(false)
  }
})

it('keeps what it knows while it cannot look', async () => {
  let isAway = false
  const { conditions, refresh } = createCheckWatch(['mail'], async () => {
    if (isAway) throw new Error('the database does not answer')
    return [mail('passed')]
  })
  await refresh()
  isAway = true
  await expect(refresh()).rejects.toThrow('does not answer')
  expect([conditions[0]?.isKnown?.(), await conditions[0]?.find()]).toEqual([true, undefined])
})

it('knows nothing in a process that does not look', async () => {
  const { conditions, refresh } = createCheckWatch(['mail'], undefined)
  await refresh()
  expect(conditions[0]?.isKnown?.()).toBe(false)
})
