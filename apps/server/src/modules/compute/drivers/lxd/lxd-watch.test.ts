import { until } from '@atoll/testkit'
import { expect, test } from 'vitest'
import { createLog } from '../../../../platform/log.ts'
import { LxdSettings } from '../../../catalog/lxd-settings.ts'
import { createLxdClient } from './lxd-client.ts'
import { watchLxd } from './lxd-watch.ts'

test('an LXD that is not heard is told once, with the cause, however often it is tried', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const client = createLxdClient(LxdSettings.parse({ endpoints: ['/nowhere/unix.socket'], bridge: 'br0' }))
  let tries = 0
  const counting: typeof client = {
    ...client,
    upgrade(...args) {
      tries += 1
      return client.upgrade(...args)
    },
  }
  const watch = watchLxd(counting, { project: 'atoll', log }, () => undefined)
  try {
    await until('it was tried three times', () => tries === 3)
  } finally {
    await watch.stop()
    await client.close()
  }
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/LXD is not heard.*|ENOENT/)
  expect(lines[0]).toContain('ENOENT')
})
