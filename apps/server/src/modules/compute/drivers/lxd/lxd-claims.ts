/**
 * The deployment's claim on a project: whose it is stands in the project's configuration, the number in the name of an
 * empty profile. A certificate that is restricted to the project may write profiles, and not the configuration; and of
 * several profiles the largest number counts, so writers need not wait for each other.
 */
import { z } from 'zod'
import type { ProviderClaims } from '../../compute-provider.ts'
import { LxdError } from './lxd-answers.ts'
import { type LxdClient, makeOnce } from './lxd-client.ts'
import { claimProject, findOwner } from './lxd-foundation.ts'

const profilePrefix = 'atoll-number-'

export function lxdClaims(client: LxdClient, project: string): ProviderClaims {
  const query = { project }

  async function listNumbers(): Promise<number[]> {
    const paths = await client.get('/1.0/profiles', z.array(z.string()), query)
    return paths.flatMap((path) => {
      const name = path.split('?')[0]?.split('/').at(-1) ?? ''
      const digits = name.startsWith(profilePrefix) ? name.slice(profilePrefix.length) : ''
      return /^\d{1,15}$/.test(digits) ? [Number(digits)] : []
    })
  }

  async function remove(number: number): Promise<void> {
    try {
      await client.change('DELETE', `/1.0/profiles/${profilePrefix}${number}`, { query })
    } catch (error) {
      if (!(error instanceof LxdError && error.status === 404)) throw error
    }
  }

  return {
    async read() {
      const deployment = await findOwner(client, project)
      if (deployment === undefined || deployment === null) return undefined
      return { deployment, number: Math.max(0, ...(await listNumbers())) }
    },
    async write({ deployment, number }) {
      await claimProject(client, project, deployment)
      const before = await listNumbers()
      if (before.some((other) => other >= number)) return
      const description = 'How far the database of the deployment got. For no instance; Atoll writes it.'
      const body = { name: `${profilePrefix}${number}`, description, config: {}, devices: {} }
      await makeOnce(client, '/1.0/profiles', { query, body })
      for (const other of before) await remove(other)
    },
  }
}
