/**
 * The status table of spec §4: every status with its badge colour and the shape that says whether it moves
 * (design language, "Status"). The server's status machine decides which actions a status allows; clients show
 * `actions`.
 */
import { z } from 'zod'
import { lookUp } from '../wire/unknown-words/read-open.ts'

export type BadgeColour = 'green' | 'amber' | 'coral' | 'grey'
/** disc = at rest · ring = moving · square = ended · hollow = waiting or unknown. */
export type BadgeShape = 'disc' | 'ring' | 'square' | 'hollow'

export interface StatusLook {
  colour: BadgeColour
  shape: BadgeShape
  /** Asks something of the user: the badge gets tint, line and a coloured word. */
  needsYou?: true
}

function look(colour: BadgeColour, shape: BadgeShape, needsYou?: true): StatusLook {
  return { colour, shape, ...(needsYou && { needsYou }) }
}

export const statusTable = {
  unpaid: look('coral', 'disc', true),
  paid: look('green', 'disc'),
  fetching: look('amber', 'ring'),
  queuing: look('amber', 'ring'),
  pending: look('amber', 'ring'),
  installing: look('amber', 'ring'),
  restoring: look('amber', 'ring'),
  restore_error: look('coral', 'disc', true),
  running: look('green', 'disc'),
  inactivated: look('grey', 'hollow'),
  stopping: look('amber', 'ring'),
  stopped: look('coral', 'square'),
  starting: look('amber', 'ring'),
  restarting: look('amber', 'ring'),
  errored: look('coral', 'disc', true),
  destroying: look('coral', 'ring'),
  destroyed: look('coral', 'square'),
  canceled: look('coral', 'square'),
  canceling: look('grey', 'ring'),
  destroy_to_be_confirmed: look('grey', 'hollow'),
  waiting_destroy: look('grey', 'hollow'),
  offline: look('grey', 'hollow'),
} as const satisfies Record<string, StatusLook>

export type ClusterStatus = keyof typeof statusTable
export const clusterStatuses = Object.keys(statusTable) as [ClusterStatus, ...ClusterStatus[]]
export const ClusterStatus = z.enum(clusterStatuses)
/** How a status looks; one that is not known yet is grey. */
export function statusLook(status: ClusterStatus): StatusLook {
  return lookUp<ClusterStatus, StatusLook>(statusTable, status, look('grey', 'hollow'))
}

/** Actions that the status machine can allow a user; an entry of `Resource.actions`. */
export const clusterActions = [
  'start',
  'stop',
  'restart',
  'destroyMaster',
  'addWorker',
  'activate',
  'retry',
  'cancel',
  'repair',
  'cancelUnpaid',
  'keep',
  'giveUp',
  'takeBack',
  'replaceMachine',
] as const
export type ClusterAction = (typeof clusterActions)[number]
export const ClusterAction = z.enum(clusterActions)

/** Actions on one instance; an entry of `InstanceRow.actions`. */
export const instanceActions = [
  'start',
  'stop',
  'restart',
  'destroyWorker',
  'cancelInstance',
  'retry',
  'repair',
  'keep',
] as const
export type InstanceAction = (typeof instanceActions)[number]
export const InstanceAction = z.enum(instanceActions)
