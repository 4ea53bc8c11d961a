/** Labels of the steps of installs and operations: one vocabulary for the console and the personal server's page. */
import type { Locale } from '../wire/constants.ts'
import { lookUp } from '../wire/unknown-words/read-open.ts'
import { type Words, words } from '../wire/words.ts'

/** Steps of an operation; all but `draining` are named for the status that an instance passes through meanwhile. */
export const operationStepLabels = {
  fetching: words('Allocate resources', '分配资源'),
  queuing: words('Start the machine', '启动机器'),
  pending: words('Connect the agent', '连接代理程序'),
  installing: words('Install', '安装'),
  restoring: words('Install and restore', '安装并恢复'),
  starting: words('Start', '启动'),
  restarting: words('Restart', '重启'),
  stopping: words('Stop', '停止'),
  draining: words('Finish running work', '完成手头工作'),
  destroying: words('Destroy', '销毁'),
  canceling: words('Cancel', '取消'),
} as const satisfies Record<string, Words>
export type OperationStepKey = keyof typeof operationStepLabels
export const operationSteps = Object.keys(operationStepLabels) as [OperationStepKey, ...OperationStepKey[]]

/** The label of an operation's step. */
export function operationStepLabel(step: OperationStepKey, locale: Locale): string {
  return lookUp<OperationStepKey, Words>(operationStepLabels, step, words(step, step))[locale]
}

/** Steps within an install; `machine` and `install` stand for all before and all of it while nothing more is known. */
const installStepLabels: Readonly<Record<string, Words>> = {
  machine: operationStepLabels.queuing,
  install: operationStepLabels.installing,
  prepare: words('Prepare the machine', '准备机器'),
  fetch: words('Fetch the system', '获取系统'),
  services: words('Start the services', '启动服务'),
  script: words("Run the operator's script", '运行运营方脚本'),
  restore: words('Restore the files', '恢复文件'),
  network: words('Check the network', '检查网络'),
  handover: words('Create the password', '生成一次性密码'),
}

/** The label of an install's step; a step that an operator added keeps its own name. */
export function installStepLabel(step: string, locale: Locale): string {
  return installStepLabels[step]?.[locale] ?? step
}
