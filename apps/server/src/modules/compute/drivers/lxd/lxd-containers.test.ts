import { expect, test } from 'vitest'
import { silentLog } from '../../../../platform/log.ts'
import type { LxdClient } from './lxd-client.ts'
import { createContainers, LostMember } from './lxd-containers.ts'

const unexpected = () => Promise.reject(new Error('not asked for here'))

/** An LXD whose member n3 is lost: asked for an instance there, it says nothing. */
const silent: LxdClient = {
  find: () => new Promise<never>(() => undefined),
  get: async (_path, shape) => shape.parse([{ name: 'in-1', status: 'Error', location: 'n3' }]),
  change: unexpected,
  upgrade: () => {
    throw new Error('not asked for here')
  },
  close: unexpected,
}

test('a lost member is found out while LXD itself still waits for it', async () => {
  const containers = createContainers(silent, { project: 'atoll', graceSeconds: 1, log: silentLog })
  const found = containers.find('in-1')
  await expect(found).rejects.toBeInstanceOf(LostMember)
  await expect(found).rejects.toMatchObject({ member: 'n3', retryable: true })
})
