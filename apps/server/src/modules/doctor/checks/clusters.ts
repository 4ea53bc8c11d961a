import { isLoopback } from '../../../platform/network-of.ts'
import type { CatalogCloud } from '../../catalog/index.ts'
import {
  type Check,
  type Finding,
  failed,
  type Patient,
  passed,
  reasonOf,
  sizeText,
  skipped,
  unseen,
  warned,
} from '../check.ts'
import { isPublicUrl } from '../public-url.ts'
import { diskFails, diskWarns } from './database.ts'

const group = 'Clusters'

type LxdCloud = Pick<CatalogCloud, 'cloudName'> & { lxd: NonNullable<CatalogCloud['lxd']> }

/** Undefined where the catalogue cannot be read: that is another check's, and no reason to find all well. */
async function listClouds({ readCatalog }: Pick<Patient, 'readCatalog'>): Promise<CatalogCloud[] | undefined> {
  return await readCatalog().then(
    ({ clouds }) => [...clouds],
    () => undefined,
  )
}

async function listLxdClouds(patient: Patient): Promise<LxdCloud[] | undefined> {
  return (await listClouds(patient))?.flatMap(({ cloudName, lxd }) => (lxd ? [{ cloudName, lxd }] : []))
}

const noCatalog = unseen('the catalogue cannot be read')
const noLxd = skipped('no cloud of the catalogue is an LXD')

/** The worst of what was found at several. */
function worstOf(findings: readonly Finding[]): Finding {
  const bad = findings.filter(({ state }) => state === 'failed' || state === 'warning')
  const [first] = [...bad.filter(({ state }) => state === 'failed'), ...bad]
  if (first === undefined) return passed(findings.flatMap(({ found }) => found ?? []).join('; '))
  return { ...first, found: bad.flatMap(({ found }) => found ?? []).join(' ') }
}

export const clusterChecks: readonly Check[] = [
  {
    name: 'lxd',
    group,
    title: 'LXD answers on all members',
    async look(patient) {
      const clouds = await listLxdClouds(patient)
      if (clouds === undefined) return noCatalog
      if (clouds.length === 0) return noLxd
      return worstOf(await Promise.all(clouds.map((cloud) => lookAtCloud(patient, cloud))))
    },
  },
  {
    name: 'agent-release',
    group,
    title: 'Agents can update themselves to this release',
    async look({ config, context }) {
      if (!config.isRelease) return skipped('a checkout is no release')
      const offered = await context.offeredAgent()
      if (offered?.signature !== undefined) return passed(offered.version)
      const found = 'This release is not signed, so no agent installs it: agents stay as they are.'
      return warned(found, 'Install a release that its maker signed.', 'atollctl upgrade FILE')
    },
  },
  {
    name: 'member-disks',
    group,
    title: 'All members have free disk space',
    async look(patient) {
      const clouds = await listLxdClouds(patient)
      if (clouds === undefined) return noCatalog
      if (clouds.length === 0) return noLxd
      const asked = await Promise.allSettled(clouds.map(({ lxd }) => patient.context.lookAtLxd(lxd)))
      const members = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value.members : []))
      const full = members.filter(({ space }) => space !== undefined && space.used >= space.total * diskWarns)
      const silent = clouds.filter((_, index) => asked[index]?.status === 'rejected').map(({ cloudName }) => cloudName)
      if (full.length === 0) return silent.length === 0 ? passed() : unseen(`LXD does not answer: ${silent.join(', ')}`)
      const found = full.map(
        ({ name, space }) =>
          `${name}: ${sizeText((space?.total ?? 0) - (space?.used ?? 0))} of ${sizeText(space?.total ?? 0)} free.`,
      )
      const isFull = full.some(({ space }) => space !== undefined && space.used >= space.total * diskFails)
      const mend = 'Move instances to another member, or add a disk to the pool.'
      return isFull ? failed(found.join(' '), mend) : warned(found.join(' '), mend)
    },
  },
  {
    name: 'agent-image',
    group,
    title: 'Agent image is there and readable',
    async look(patient) {
      const clouds = await listLxdClouds(patient)
      if (clouds === undefined) return noCatalog
      if (clouds.length === 0) return noLxd
      try {
        await patient.context.tryImage()
        return passed()
      } catch (error) {
        return failed(
          `${reasonOf(error)}.`,
          patient.config.isRelease
            ? 'Install a release that was made with the image; the user atoll has to be able to read it.'
            : 'Make it, as the user who runs the server.',
          ...(patient.config.isRelease ? [] : ['npm run image:build']),
        )
      }
    },
  },
  {
    name: 'control-address',
    group,
    title: 'Control address is reached by instances',
    async look(patient) {
      const { config, context } = patient
      const clouds = await listLxdClouds(patient)
      if (clouds === undefined) return noCatalog
      const urls = [...new Set([config.controlUrl, ...clouds.map(({ lxd }) => lxd.controlUrl ?? config.controlUrl)])]
      const mend =
        'Set ATOLL_CONTROL_URL to an address of this machine that instances reach, and let an api listen there.'
      for (const url of urls) {
        if (clouds.length > 0 && isLoopback(new URL(url).hostname))
          return failed(`${url} is an instance's own address, not this machine's.`, mend)
        try {
          const { status } = await context.get(`${url}/healthz`)
          if (status !== 200) return failed(`${url}/healthz answers ${status}.`, mend)
        } catch (error) {
          return failed(`${url} does not answer: ${reasonOf(error)}.`, mend)
        }
      }
      return passed(urls.join(', '))
    },
  },
  {
    name: 'process-offerings',
    group,
    title: 'Nothing is sold that runs beside the server',
    async look({ readCatalog, config: { publicUrl } }) {
      if (!isPublicUrl(publicUrl)) return skipped(`${publicUrl} is this machine's own address`)
      const clouds = await listClouds({ readCatalog })
      if (clouds === undefined) return noCatalog
      const own = clouds.filter(({ driver }) => driver === 'process').map(({ cloudName }) => cloudName)
      if (own.length === 0) return passed()
      return warned(
        `Customers' instances are processes of this machine in ${own.join(', ')}: one that breaks out of its own has all of it.`,
        'Take clouds with the driver process out of the catalogue, and offer LXD or machines of the customers.',
      )
    },
  },
]

async function lookAtCloud({ context }: Patient, { cloudName, lxd }: LxdCloud): Promise<Finding> {
  try {
    const { members } = await context.lookAtLxd(lxd)
    const lost = members.filter(({ state }) => state === 'lost')
    if (lost.length === 0) return passed(`${cloudName}: ${Math.max(members.length, 1)}`)
    return failed(
      `${cloudName}: ${lost.map(({ name, message }) => `${name} (${message})`).join(', ')}.`,
      'Start what has stopped. A member that is lost for good is removed by force, which ends the instances on it.',
      'lxc cluster list',
    )
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : ''
    return failed(
      `${cloudName}: ${reasonOf(error)}${cause}.`,
      'Start LXD, and look at endpoints and certificates of the cloud in the catalogue.',
    )
  }
}
