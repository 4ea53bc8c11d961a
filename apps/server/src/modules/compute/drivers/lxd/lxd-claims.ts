/**
 * The deployment's claim on a project: its owner is in the project's configuration, its number and series in the name
 * of an empty profile, `atoll-number-12` or `atoll-number-12-series-1`. A certificate that is restricted to the project
 * may write profiles, but not the configuration; and of several profiles the largest number counts, so writers need not
 * wait for each other.
 */
import { z } from 'zod'
import type { Claims } from '../../../../platform/careful/index.ts'
import { LxdError } from './lxd-answers.ts'
import { type LxdClient, makeOnce } from './lxd-client.ts'
import { claimProject, findOwner } from './lxd-foundation.ts'

const profileName = /^atoll-number-(\d{1,15})(?:-series-(\d{1,9}))?$/

interface Mark {
  profile: string
  number: number
  series: number
}

export function lxdClaims(client: LxdClient, project: string): Claims {
  const query = { project }

  async function listMarks(): Promise<Mark[]> {
    const paths = await client.get('/1.0/profiles', z.array(z.string()), query)
    return paths.flatMap((path) => {
      const [profile, number, series = '0'] = profileName.exec(path.split('?')[0]?.split('/').at(-1) ?? '') ?? []
      return profile && number ? [{ profile, number: Number(number), series: Number(series) }] : []
    })
  }

  async function remove(profile: string): Promise<void> {
    try {
      await client.change('DELETE', `/1.0/profiles/${profile}`, { query })
    } catch (error) {
      if (!(error instanceof LxdError && error.status === 404)) throw error
    }
  }

  return {
    async read() {
      const deployment = await findOwner(client, project)
      if (deployment === undefined || deployment === null) return undefined
      const { number, series } = largestOf(await listMarks())
      return { deployment, number, ...(series > 0 && { series }) }
    },
    async write({ deployment, number, series = 0 }) {
      await claimProject(client, project, deployment)
      const before = await listMarks()
      if (before.some((other) => other.number >= number)) return
      const description = 'How far the database of the deployment got. For no instance; Atoll writes it.'
      const name = `atoll-number-${number}${series > 0 ? `-series-${series}` : ''}`
      const body = { name, description, config: {}, devices: {} }
      await makeOnce(client, '/1.0/profiles', { query, body })
      for (const { profile } of before) await remove(profile)
    },
  }
}

/** The mark with the largest number; of two with the same one, written at once, that with the later series. */
function largestOf(marks: readonly Mark[]): Pick<Mark, 'number' | 'series'> {
  return marks.reduce<Pick<Mark, 'number' | 'series'>>(
    (largest, mark) =>
      mark.number > largest.number || (mark.number === largest.number && mark.series > largest.series) ? mark : largest,
    { number: 0, series: 0 },
  )
}
