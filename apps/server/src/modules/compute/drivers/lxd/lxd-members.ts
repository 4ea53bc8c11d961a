/** The members of an LXD cluster, and which of them a new instance goes to. */
import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { ProviderError } from '../../provider/compute-provider.ts'
import { Member, Operations, Server } from './lxd-answers.ts'
import type { LxdClient } from './lxd-client.ts'

export interface LxdMember {
  name: string
  /** `resting`: taken out of service on purpose, answers. `lost`: does not answer. */
  state: 'online' | 'resting' | 'lost'
  /** In LXD's words. */
  message: string
}

const states: Record<string, LxdMember['state']> = { online: 'online', offline: 'lost' }

/** Empty for an LXD that is no cluster. */
export async function listMembers(client: LxdClient): Promise<LxdMember[]> {
  const { environment } = await client.get('/1.0', Server)
  if (!environment.server_clustered) return []
  const members = await client.get('/1.0/cluster/members', z.array(Member), { recursion: '1' })
  return members.map(({ server_name, status, message }) => ({
    name: server_name,
    // Evacuated, blocked, pending: it answers, and is not to get anything new.
    state: states[status.toLowerCase()] ?? 'resting',
    message,
  }))
}

/**
 * The member for a new instance of a region that is `names`: the one that it was placed on, while that is online and
 * of the region. Without names and place it is left to LXD, which takes the one with the fewest instances. Throws when
 * none of them can take it now.
 */
export async function chooseMember(
  client: LxdClient,
  names: readonly string[] | undefined,
  placed: string | null,
): Promise<string | undefined> {
  if (!names && placed === null) return undefined
  const members = await listMembers(client)
  const isOnline = members.some(({ name, state }) => name === placed && state === 'online')
  if (placed !== null && isOnline && (names?.includes(placed) ?? true)) return placed
  if (!names) return undefined
  const known = members.filter(({ name }) => names.includes(name))
  if (known.length === 0) {
    const message = `LXD has no member ${names.join(', ')}; correct the region's members in catalog.yaml`
    throw new ProviderError(message, { retryable: false })
  }
  const online = known.filter(({ state }) => state === 'online')
  if (online.length === 0) {
    const lost = known.map(({ name, message }) => `${name} (${message})`).join(', ')
    throw new ProviderError(`No host of this region takes new instances now: ${lost}`, { retryable: true })
  }
  return online[randomInt(online.length)]?.name
}

/**
 * Whether an operator is evacuating or restoring a member and LXD is moving this container, which is at `location` if
 * anywhere: it is stopped, absent and started again within some seconds, and starting or creating it meanwhile would
 * break the move. While LXD copies, it does not say which container it copies; then it may be this one. On a member
 * that is restored it starts one container after the other.
 */
export async function isMoving(client: LxdClient, container: string, location: string | undefined): Promise<boolean> {
  const { running } = await client.get('/1.0/operations', Operations, { recursion: '1' })
  return running.some((operation) => {
    if (!/^(Evacuating|Restoring) cluster member/.test(operation.description)) return false
    if (operation.description.startsWith('Restoring') && operation.location === location) return true
    return operation.metadata?.evacuation_progress?.includes(`"${container}"`) ?? true
  })
}

/** Whether LXD is copying this container to another member. */
export async function isMigrating(client: LxdClient, project: string, container: string): Promise<boolean> {
  const { running } = await client.get('/1.0/operations', Operations, { project, recursion: '1' })
  return running.some(({ description, resources }) => {
    const paths = [...(resources?.['instances'] ?? []), ...(resources?.['containers'] ?? [])]
    const isOfIt = paths.some((path) => path.split('?')[0]?.endsWith(`/${container}`))
    return /^Migrating/.test(description) && isOfIt
  })
}

/** Whether LXD starts containers on this member. */
export async function isInService(client: LxdClient, member: string): Promise<boolean> {
  return (await listMembers(client)).find(({ name }) => name === member)?.state === 'online'
}
