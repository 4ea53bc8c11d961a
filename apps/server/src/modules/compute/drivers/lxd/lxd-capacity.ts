/** How much the members of a region have and use, as LXD tells it. */
import { z } from 'zod'
import type { LxdSettings } from '../../../catalog/index.ts'
import type { MemberCapacity } from '../../provider/compute-provider.ts'
import { Server } from './lxd-answers.ts'
import type { LxdClient } from './lxd-client.ts'
import { idOfName } from './lxd-instances.ts'
import { type LxdMember, listMembers } from './lxd-members.ts'

const Resources = z.object({
  cpu: z.object({ total: z.number() }),
  memory: z.object({ total: z.number(), used: z.number() }),
})
const Pool = z.object({ space: z.object({ used: z.number(), total: z.number() }) })
const Located = z.array(z.object({ name: z.string(), location: z.string() }))

/** `names`: the members of the region; undefined: all. */
export async function readLxdCapacity(
  client: LxdClient,
  { project, pool }: Pick<LxdSettings, 'project' | 'pool'>,
  names: readonly string[] | undefined,
): Promise<MemberCapacity[]> {
  const clustered = await listMembers(client)
  const isCluster = clustered.length > 0
  const members = isCluster ? clustered.filter(({ name }) => names?.includes(name) ?? true) : [await single(client)]
  const located = await client.get('/1.0/instances', Located, { project, recursion: '1' })
  return await Promise.all(
    members.map(async ({ name: member, state }): Promise<MemberCapacity> => {
      const on = isCluster ? located.filter(({ location }) => location === member) : located
      const instanceIds = on.flatMap(({ name }) => idOfName(name) ?? [])
      const known = { member, state, cpuBusy: null, instanceIds }
      if (state === 'lost') return { ...known, cpuCores: 0, memory: 0, memoryUsed: 0, disk: 0, diskUsed: 0 }
      const target = isCluster ? { target: member } : {}
      const [{ cpu, memory }, { space }] = await Promise.all([
        client.get('/1.0/resources', Resources, target),
        client.get(`/1.0/storage-pools/${encodeURIComponent(pool)}/resources`, Pool, target),
      ])
      return {
        ...known,
        cpuCores: cpu.total,
        memory: memory.total,
        memoryUsed: memory.used,
        disk: space.total,
        diskUsed: space.used,
      }
    }),
  )
}

async function single(client: LxdClient): Promise<LxdMember> {
  const { environment } = await client.get('/1.0', Server)
  return { name: environment.server_name, state: 'online', message: '' }
}
