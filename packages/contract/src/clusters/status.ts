/**
 * The status table of spec §4: every status with its labels, badge colour and the shape that says whether it moves
 * (design language, "Status"). The server's status machine decides which actions a status allows; clients show
 * `actions`.
 */
import { z } from 'zod'
import { lookUp } from '../wire/unknown-words/read-open.ts'
import { type Words, words } from '../wire/words.ts'

export type BadgeColour = 'green' | 'amber' | 'coral' | 'grey'
/** disc = at rest · ring = moving · square = ended · hollow = waiting or unknown. */
export type BadgeShape = 'disc' | 'ring' | 'square' | 'hollow'

export interface StatusLook {
  label: Words
  colour: BadgeColour
  shape: BadgeShape
  /** Asks something of the user: the badge gets tint, line and a coloured word. */
  needsYou?: true
}

function look(en: string, zh: string, colour: BadgeColour, shape: BadgeShape, needsYou?: true): StatusLook {
  return { label: { 'en-US': en, 'zh-CN': zh }, colour, shape, ...(needsYou && { needsYou }) }
}

export const statusTable = {
  unpaid: look('Unpaid', '未支付', 'coral', 'disc', true),
  paid: look('Paid', '已支付', 'green', 'disc'),
  fetching: look('Fetching', '获取资源', 'amber', 'ring'),
  queuing: look('Queuing', '排队中', 'amber', 'ring'),
  pending: look('OS pending', '等待安装', 'amber', 'ring'),
  installing: look('Installing', '安装中', 'amber', 'ring'),
  restoring: look('Restoring', '恢复中', 'amber', 'ring'),
  restore_error: look('Restore failed', '恢复失败', 'coral', 'disc', true),
  running: look('Running', '运行中', 'green', 'disc'),
  inactivated: look('Pending activation', '待激活', 'grey', 'hollow'),
  stopping: look('Stopping', '停止中', 'amber', 'ring'),
  stopped: look('Stopped', '已停止', 'coral', 'square'),
  starting: look('Starting', '启动中', 'amber', 'ring'),
  restarting: look('Restarting', '重启中', 'amber', 'ring'),
  errored: look('Errored', '出错', 'coral', 'disc', true),
  destroying: look('Destroying', '销毁中', 'coral', 'ring'),
  destroyed: look('Destroyed', '已销毁', 'coral', 'square'),
  canceled: look('Canceled', '已取消', 'coral', 'square'),
  canceling: look('Canceling', '取消中', 'grey', 'ring'),
  destroy_to_be_confirmed: look('Destroy to be confirmed', '待确认销毁', 'grey', 'hollow'),
  waiting_destroy: look('Waiting to be destroyed', '等待销毁', 'grey', 'hollow'),
  offline: look('Offline', '离线', 'grey', 'hollow'),
} as const satisfies Record<string, StatusLook>

export type ClusterStatus = keyof typeof statusTable
export const clusterStatuses = Object.keys(statusTable) as [ClusterStatus, ...ClusterStatus[]]
export const ClusterStatus = z.enum(clusterStatuses)
/** How a status looks; one that is not known yet is grey, with its word. */
export function statusLook(status: ClusterStatus): StatusLook {
  return lookUp<ClusterStatus, StatusLook>(statusTable, status, look(status, status, 'grey', 'hollow'))
}
/** The label of each status. */
export const statusLabels: Readonly<Record<string, Words>> = Object.fromEntries(
  clusterStatuses.map((status) => [status, statusTable[status].label]),
)

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

/** Each action as it stands in a refusal: "A cluster that is Stopped cannot *be stopped* now." */
export const actionPhrases = {
  start: words('be started', '启动'),
  stop: words('be stopped', '停止'),
  restart: words('be restarted', '重启'),
  destroyMaster: words('be destroyed', '销毁'),
  addWorker: words('get a worker', '添加工作节点'),
  activate: words('be activated', '激活'),
  retry: words('be retried', '重试'),
  cancel: words('be canceled', '取消'),
  repair: words('be repaired', '修复'),
  cancelUnpaid: words('be canceled', '取消订单'),
  keep: words('be kept', '保留'),
  giveUp: words('be given up', '放弃'),
  takeBack: words('be taken back', '收回'),
  replaceMachine: words('get another machine', '更换机器'),
  destroyWorker: words('be destroyed', '销毁'),
  cancelInstance: words('be canceled', '取消'),
} as const satisfies Record<ClusterAction | InstanceAction, Words>
