import { z } from 'zod'
import type { LxdSettings } from '../../../catalog/index.ts'
import { Server } from './lxd-answers.ts'
import { createLxdClient } from './lxd-client.ts'
import { type LxdMember, listMembers } from './lxd-members.ts'

const Resources = z.object({ space: z.object({ used: z.number(), total: z.number() }) })

export interface LxdFigures {
  /** An LXD that is no cluster is one member. `space`: of the pool there, bytes; undefined: it was not told. */
  members: (LxdMember & { space: { used: number; total: number } | undefined })[]
}

/** Asks an LXD how its members are. Throws where it does not answer. */
export async function lookAtLxd(settings: LxdSettings): Promise<LxdFigures> {
  const client = createLxdClient(settings)
  try {
    const clustered = await listMembers(client)
    const members = clustered.length > 0 ? clustered : [await describeSingle()]
    const pool = `/1.0/storage-pools/${encodeURIComponent(settings.pool)}/resources`
    return {
      members: await Promise.all(
        members.map(async (member) => {
          if (member.state === 'lost') return { ...member, space: undefined }
          const query = clustered.length > 0 ? { target: member.name } : {}
          return { ...member, space: (await client.find(pool, Resources, query))?.space }
        }),
      ),
    }
  } finally {
    await client.close()
  }

  async function describeSingle(): Promise<LxdMember> {
    const { environment } = await client.get('/1.0', Server)
    return { name: environment.server_name, state: 'online', message: '' }
  }
}
