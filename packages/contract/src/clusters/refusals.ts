/** Refusals of calls about clusters: orders, names, hosts, and actions. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'
import { actionRefusals } from './action-refusals.ts'
import { createRefusals } from './create-refusals.ts'
import { actionPhrases, statusLabels } from './status.ts'

export const clustersRefusals = {
  ...createRefusals,
  restoreGuarded: {
    code: codes.conflict,
    'en-US':
      'You need to first disable the existing {product} that adopts the current {product} ID before you can restore a new {product} with the backup data.',
    'zh-CN': '请先停用正在使用当前 {product} ID 的 {product}，然后才能用备份数据恢复新的 {product}。',
  },
  restoreTooLarge: {
    code: codes.conflict,
    field: 'offering',
    'en-US': 'The files of this backup do not fit on the disk of {offering}. Choose a larger size.',
    'zh-CN': '{offering} 的磁盘放不下这个备份中的文件，请选择更大的规格。',
  },
  selfHostTooMany: {
    code: codes.conflict,
    'en-US': 'You have {most} self-hosted clusters, the most you may have. Destroy one that you no longer use.',
    'zh-CN': '你已有 {most} 个自托管集群，已达上限。请先销毁不再使用的集群。',
  },
  vCpuQuotaPassed: {
    code: codes.conflict,
    'en-US': 'This would use {wanted} of your {quota} vCPU. Choose a smaller size or ask for more quota.',
    'zh-CN': '这样会使用 {wanted} 个 vCPU，而配额为 {quota} 个。请选择更小的规格，或申请提高配额。',
  },
  offeringUnknown: {
    code: codes.badParameter,
    'en-US': 'The size {offering} is not sold in {region}. Reload the page and choose another one.',
    'zh-CN': '{region} 不提供规格 {offering}，请刷新页面后另选。',
  },
  regionUnknown: {
    code: codes.badParameter,
    'en-US': '{cloud} has no region {region}. Reload the page and choose another one.',
    'zh-CN': '{cloud} 没有区域 {region}，请刷新页面后另选。',
  },
  cloudUnknown: {
    code: codes.badParameter,
    'en-US': 'The cloud {cloud} is not offered here. Reload the page and choose another one.',
    'zh-CN': '这里不提供云 {cloud}，请刷新页面后另选。',
  },
  versionUnknown: {
    code: codes.badParameter,
    'en-US': 'Version {version} is not offered here. Reload the page and choose another one.',
    'zh-CN': '这里不提供版本 {version}，请刷新页面后另选。',
  },
  offeringSoldOut: {
    code: codes.conflict,
    'en-US': '{offering} is sold out in {region}.',
    'zh-CN': '{region} 的 {offering} 已售罄。',
  },
  regionClosed: {
    code: codes.conflict,
    'en-US': 'Not available in {region} now.',
    'zh-CN': '{region} 目前不可用。',
  },
  clusterNameMalformed: {
    code: codes.badParameter,
    field: 'name',
    'en-US': 'A name has 2 to 32 letters, digits, spaces or hyphens, and starts with a letter or a digit.',
    'zh-CN': '名称由 2 到 32 个字母、数字、空格或连字符组成，以字母或数字开头。',
  },
  clusterNameTaken: {
    code: codes.conflict,
    field: 'name',
    'en-US': 'There is already an {product} named {name}.',
    'zh-CN': '已有名为 {name} 的 {product}。',
  },
  tunnelTokenMalformed: {
    code: codes.badParameter,
    'en-US': 'This is not a tunnel token. Copy it from Cloudflare, or from "cloudflared tunnel token".',
    'zh-CN': '这不是有效的隧道令牌。请从 Cloudflare 或 “cloudflared tunnel token” 的输出中复制。',
  },
  machineUnknown: {
    code: codes.conflict,
    'en-US': 'This machine has started again or is not known any more. Look at the page again, then choose.',
    'zh-CN': '这台机器已重新启动或不再存在。请刷新页面后重新选择。',
  },
  selfHostPower: {
    code: codes.conflict,
    'en-US': 'This is your own machine. Switch it on or off on site.',
    'zh-CN': '这台机器归你所有，请在本机上开机或关机。',
  },
  selfHostOnly: {
    code: codes.conflict,
    'en-US': 'Only self-hosted clusters accept your own machines.',
    'zh-CN': '只有自托管集群可以加入你自己的机器。',
  },
  selfHostEnrolled: {
    code: codes.conflict,
    'en-US': 'A machine is already connected here. To add another one, get a command for a worker.',
    'zh-CN': '这个位置已有机器。要加入另一台机器，请获取工作节点的命令。',
  },
  restoreOfWorker: {
    code: codes.badParameter,
    'en-US': 'A backup holds the files of the master. A worker is recreated empty.',
    'zh-CN': '备份中只有主节点的文件，工作节点只能重建为空白。',
  },
  ...actionRefusals,
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const clustersObjects = {
  cluster: words('cluster', '集群'),
  instance: words('instance', '实例'),
  operation: words('operation', '操作'),
} as const

/** Labels of wire values that refusals of actions take as parameters, by the parameter's name. */
export const clustersParams = {
  status: statusLabels,
  action: actionPhrases,
} as const
