/**
 * Prerequisites of the first instance: the deployment's project, and in it a profile with the settings that all
 * instances share. Created when missing, never changed back: an operator may tighten both.
 */

import type { LxdSettings } from '../../../catalog/index.ts'
import { ProviderError } from '../../provider/compute-provider.ts'
import { Project } from './lxd-answers.ts'
import { type LxdClient, makeOnce } from './lxd-client.ts'
import { deploymentKey } from './lxd-instances.ts'

export const profileName = 'atoll-instance'
/** Processes and threads of one instance: far above what the agent needs, far below what hurts the machine. */
const processLimit = 2000

/** Makes sure of both. Throws a final `ProviderError` when the project is another deployment's. */
export async function ensureFoundation(client: LxdClient, settings: LxdSettings, deployment: string): Promise<void> {
  const owner = await findOwner(client, settings.project)
  if (owner === undefined) await makeProject(client, settings.project, deployment)
  else if (owner === null) await markProject(client, settings.project, deployment)
  else if (owner !== deployment) throw takenError(settings.project)
  await makeProfile(client, settings)
}

/** The deployment that the project belongs to; null when it does not say so, undefined without the project. */
export async function findOwner(client: LxdClient, project: string): Promise<string | null | undefined> {
  const found = await client.find(`/1.0/projects/${project}`, Project)
  return found && (found.config[deploymentKey] ?? null)
}

/** Makes the project this deployment's, whosever it was; made when it is missing. */
export async function claimProject(client: LxdClient, name: string, deployment: string): Promise<void> {
  const owner = await findOwner(client, name)
  if (owner === undefined) await makeProject(client, name, deployment)
  else if (owner !== deployment) await markProject(client, name, deployment)
}

async function makeProject(client: LxdClient, name: string, deployment: string): Promise<void> {
  const config = {
    [deploymentKey]: deployment,
    'features.images': 'true',
    'features.profiles': 'true',
    'features.storage.volumes': 'true',
  }
  const description = 'Instances of one Atoll deployment. Its server makes and removes them.'
  const isMade = await makeOnce(client, '/1.0/projects', { body: { name, description, config } })
  // The project may have been created concurrently: by another worker of this deployment, or by another deployment.
  if (!isMade && (await findOwner(client, name)) !== deployment) throw takenError(name)
}

async function markProject(client: LxdClient, name: string, deployment: string): Promise<void> {
  // Whole: LXD takes the features that a change leaves out for switched off.
  const { config } = await client.get(`/1.0/projects/${name}`, Project)
  await client.change('PATCH', `/1.0/projects/${name}`, {
    body: { config: { ...config, [deploymentKey]: deployment } },
  })
}

/**
 * The network card of an instance. Instances are of different owners: none may receive what is for another, take its
 * address, or reach past the edge. LXD knows the address to hold an instance to only where it gives it out itself.
 */
export function nicOf({ network, mailNetwork, bridge }: LxdSettings, maySendMail: boolean) {
  const guarded = { 'security.mac_filtering': 'true', 'security.port_isolation': 'true' }
  const link =
    network === undefined
      ? { nictype: 'bridged', parent: bridge }
      : {
          network: maySendMail ? (mailNetwork ?? network) : network,
          'security.ipv4_filtering': 'true',
          'security.ipv6_filtering': 'true',
        }
  return { type: 'nic', name: 'eth0', ...link, ...guarded }
}

async function makeProfile(client: LxdClient, settings: LxdSettings): Promise<void> {
  const { project, pool } = settings
  const body = {
    name: profileName,
    description: 'What every instance of the deployment has.',
    config: {
      'limits.processes': String(processLimit),
      // LXD knows no regions: it would move an instance to a member that belongs to another one.
      'cluster.evacuate': 'stop',
    },
    devices: {
      root: { type: 'disk', path: '/', pool },
      eth0: nicOf(settings, false),
    },
  }
  await makeOnce(client, '/1.0/profiles', { query: { project }, body })
}

function takenError(project: string): ProviderError {
  const message = `The LXD project "${project}" belongs to another deployment; give this one another in catalog.yaml`
  return new ProviderError(message, { retryable: false })
}
