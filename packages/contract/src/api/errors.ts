/**
 * The error catalogue: every expected refusal of the product, with the code its envelope carries and its text in both
 * languages. `{name}` stands for a parameter. Texts given by spec §2, §5, §6 and §8 are letter for letter.
 */

import { signInRefusals } from '../accounts/sign-in-refusals.ts'
import { clusterRefusals } from '../clusters/cluster-refusals.ts'
import { actionPhrases, statusTable } from '../clusters/status.ts'
import { codes } from '../wire/envelope.ts'
import { objectWords } from './object-words.ts'

interface ErrorEntry {
  code: number
  'en-US': string
  'zh-CN': string
}

export const errorCatalogue = {
  badParameter: { code: codes.badParameter, 'en-US': '{field}: {reason}', 'zh-CN': '{field}：{reason}' },
  missingParameter: { code: codes.badParameter, 'en-US': '{field}: is missing.', 'zh-CN': '{field}：缺少此参数。' },
  unknownParameter: {
    code: codes.badParameter,
    'en-US': '{field}: this call has no such field.',
    'zh-CN': '{field}：此调用没有这个字段。',
  },
  bodyNotJson: { code: codes.badParameter, 'en-US': 'body: not valid JSON.', 'zh-CN': 'body：不是有效的 JSON。' },
  bodyNotObject: { code: codes.badParameter, 'en-US': 'body: must be an object.', 'zh-CN': 'body：必须是一个对象。' },
  bodyTooComplex: {
    code: codes.badParameter,
    'en-US': 'body: more than {fields} fields or {levels} levels of nesting.',
    'zh-CN': 'body：字段超过 {fields} 个，或嵌套超过 {levels} 层。',
  },
  requestMalformed: {
    code: codes.badParameter,
    'en-US': 'The request is malformed: {what}.',
    'zh-CN': '请求格式错误：{what}。',
  },
  unsupportedType: {
    code: codes.unsupportedType,
    'en-US': 'Send a form or JSON: content-type application/x-www-form-urlencoded or application/json.',
    'zh-CN': '请发送表单或 JSON：content-type 应为 application/x-www-form-urlencoded 或 application/json。',
  },
  signedOut: {
    code: codes.signedOut,
    'en-US': 'You are not signed in, or your session has expired.',
    'zh-CN': '你尚未登录，或登录已过期。',
  },
  notFound: { code: codes.notFound, 'en-US': 'There is no such {object}.', 'zh-CN': '不存在这个对象（{object}）。' },
  callUnknown: {
    code: codes.notFound,
    'en-US': 'This server does not know {path}. If you were on a page of it, reload that page.',
    'zh-CN': '服务器没有 {path} 这个接口。如果你正在浏览它的页面，请刷新后重试。',
  },
  addressUnknown: {
    code: codes.notFound,
    'en-US': 'There is nothing at the address {path}.',
    'zh-CN': '地址 {path} 没有任何内容。',
  },
  tooLarge: {
    code: codes.tooLarge,
    'en-US': 'The request is larger than {limit} bytes.',
    'zh-CN': '请求超过 {limit} 字节。',
  },
  tooManyRequests: {
    code: codes.tooManyRequests,
    'en-US': 'Too many attempts. Try again in {seconds} s.',
    'zh-CN': '尝试过于频繁，请在 {seconds} 秒后重试。',
  },
  serverError: {
    code: codes.serverError,
    'en-US': 'Something Wrong. Please try again!',
    'zh-CN': '出错了，请重试！',
  },
  busy: {
    code: codes.unavailable,
    'en-US': 'The server is busy. Try again in a moment.',
    'zh-CN': '服务器繁忙，请稍后重试。',
  },
  unavailable: { code: codes.unavailable, 'en-US': '{what} is not available right now.', 'zh-CN': '{what} 暂不可用。' },

  ...signInRefusals,

  // Email and picture
  emailMalformed: {
    code: codes.badParameter,
    'en-US': 'We cannot send to this email address. One looks like name@example.com.',
    'zh-CN': '无法向这个邮箱地址发送邮件，格式应如 name@example.com。',
  },
  emailAlreadyBound: {
    code: codes.conflict,
    'en-US': '{email} is already linked to this account.',
    'zh-CN': '{email} 已绑定到这个账号。',
  },
  emailCodeTooSoon: {
    code: codes.tooManyRequests,
    'en-US': 'A code was sent just now. Ask for another in {seconds} s.',
    'zh-CN': '刚刚发送过验证码，请在 {seconds} 秒后再获取。',
  },
  emailCodeTooMany: {
    code: codes.tooManyRequests,
    'en-US': '{count} codes were sent within an hour. Ask for another in {minutes} min.',
    'zh-CN': '一小时内已发送 {count} 次验证码，请在 {minutes} 分钟后再获取。',
  },
  emailCodeNone: {
    code: codes.conflict,
    'en-US': 'No code is awaited for {email}. Ask for a new one.',
    'zh-CN': '{email} 没有待验证的验证码，请重新获取。',
  },
  emailCodeExpired: {
    code: codes.forbidden,
    'en-US': 'This code has expired. Ask for a new one.',
    'zh-CN': '验证码已过期，请重新获取。',
  },
  emailCodeWrong: {
    code: codes.forbidden,
    'en-US': 'That is not the code. Tries left: {left}.',
    'zh-CN': '验证码不正确，还可以试 {left} 次。',
  },
  emailCodeSpent: {
    code: codes.forbidden,
    'en-US': 'The code was mistyped {tries} times and no longer works. Ask for a new one.',
    'zh-CN': '验证码已输错 {tries} 次，不再有效，请重新获取。',
  },
  avatarNotPicture: {
    code: codes.badParameter,
    'en-US': 'This file is not a JPEG, PNG or WebP picture. Choose another one.',
    'zh-CN': '这个文件不是 JPEG、PNG 或 WebP 图片，请换一张。',
  },
  avatarUnreadable: {
    code: codes.badParameter,
    'en-US': 'This picture is damaged and cannot be read. Choose another one.',
    'zh-CN': '图片已损坏，无法读取，请换一张。',
  },
  avatarTooLarge: {
    code: codes.tooLarge,
    'en-US': 'The picture is larger than {megabytes} MB. Choose a smaller one.',
    'zh-CN': '图片超过 {megabytes} MB，请选择较小的图片。',
  },
  avatarTooManyPixels: {
    code: codes.tooLarge,
    'en-US': 'The picture has more than {megapixels} megapixels. Choose a smaller one.',
    'zh-CN': '图片超过 {megapixels} 百万像素，请选择较小的图片。',
  },

  // Identity service
  didMalformed: {
    code: codes.badParameter,
    'en-US': 'did: not a did:key of an Ed25519 key.',
    'zh-CN': 'did：不是 Ed25519 密钥的 did:key。',
  },
  didUnknown: { code: codes.notFound, 'en-US': 'This DID is not registered.', 'zh-CN': '这个 DID 尚未注册。' },
  nameUnknown: { code: codes.notFound, 'en-US': 'No name is bound to this DID.', 'zh-CN': '这个 DID 没有绑定名称。' },
  nameMalformed: {
    code: codes.badParameter,
    'en-US': 'An ID has 2 to 63 lowercase letters and digits, then @ and the domain.',
    'zh-CN': 'ID 由 2 到 63 个小写字母或数字、@ 与域名组成。',
  },
  nameDomain: {
    code: codes.badParameter,
    'en-US': '{domain} is not offered here. Choose one of these: {domains}.',
    'zh-CN': '这里不提供 {domain}，可选：{domains}。',
  },
  nameReserved: {
    code: codes.conflict,
    'en-US': '{name} is reserved. Choose another name.',
    'zh-CN': '{name} 是保留名称，请换一个。',
  },
  nameTaken: {
    code: codes.conflict,
    'en-US': '{name} is taken. Choose another name.',
    'zh-CN': '{name} 已被占用，请换一个。',
  },
  alreadyNamed: {
    code: codes.conflict,
    'en-US': 'This DID already has the name {name}.',
    'zh-CN': '这个 DID 已有名称 {name}。',
  },

  // Clusters
  createNotPermitted: {
    code: codes.forbidden,
    'en-US': 'Unfortunately, you do not have permission to create an {product}.',
    'zh-CN': '抱歉，你没有创建 {product} 的权限。',
  },
  idNotBound: {
    code: codes.conflict,
    'en-US': 'Bind an {product} ID in the {wallet} app first, then create your {product}.',
    'zh-CN': '请先在 {wallet} 应用中绑定 {product} ID，再创建 {product}。',
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
  clusterNameMalformed: {
    code: codes.badParameter,
    'en-US': 'A name has 2 to 32 letters, digits, spaces or hyphens, and starts with a letter or a digit.',
    'zh-CN': '名称由 2 到 32 个字母、数字、空格或连字符组成，以字母或数字开头。',
  },
  clusterNameTaken: {
    code: codes.conflict,
    'en-US': 'There is already an {product} named {name}.',
    'zh-CN': '已有名为 {name} 的 {product}。',
  },
  ...clusterRefusals,
  ownerOnly: {
    code: codes.forbidden,
    'en-US': 'Only its owner can do that.',
    'zh-CN': '只有所有者可以执行此操作。',
  },
  exportTooLarge: {
    code: codes.tooLarge,
    'en-US': 'This would export {rows} records; at most {limit} at a time. Choose a shorter time.',
    'zh-CN': '这将导出 {rows} 条记录，每次最多 {limit} 条。请缩短时间范围。',
  },
  requestIdReused: {
    code: codes.conflict,
    'en-US': 'requestId: this key was used for a different request.',
    'zh-CN': 'requestId：这个键已用于另一个请求。',
  },
  tunnelTokenMalformed: {
    code: codes.badParameter,
    'en-US': 'This is not a tunnel token. Copy it from Cloudflare, or from "cloudflared tunnel token".',
    'zh-CN': '这不是有效的隧道令牌。请从 Cloudflare 或 “cloudflared tunnel token” 的输出中复制。',
  },
  selfHostPower: {
    code: codes.conflict,
    'en-US': 'This machine is yours: switch it on or off where it stands.',
    'zh-CN': '这台机器归你所有，请在本机上开机或关机。',
  },
  selfHostOnly: {
    code: codes.conflict,
    'en-US': 'Only a self-hosted cluster takes machines of your own.',
    'zh-CN': '只有自托管集群可以加入你自己的机器。',
  },
  selfHostEnrolled: {
    code: codes.conflict,
    'en-US': 'A machine has taken this place already. Get a command for a worker to add another one.',
    'zh-CN': '这个位置已有机器。要加入另一台机器，请获取工作节点的命令。',
  },
  enrollRefused: {
    code: codes.forbidden,
    'en-US': 'This enrolment token is unknown, expired or already used by another machine.',
    'zh-CN': '这个注册令牌未知、已过期，或已被另一台机器使用。',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorKey = keyof typeof errorCatalogue

/**
 * Whether the message of a bad parameter (code 501) begins with the field as the wire names it. Only a program can
 * mend such a request: a person is told in other words.
 */
export function isForPrograms(message: string): boolean {
  return /^[\w-]+(\[[\w-]*\])*[:：]/.test(message)
}

type Params = Record<string, string | number>

/** Wire values that are told by their words in the reader's language; anything else is told as it is. */
function wordsOf(key: ErrorKey, locale: 'en-US' | 'zh-CN', params: Params): Params {
  if (key === 'notFound') {
    const words = Object.entries(objectWords).find(([name]) => name === params['object'])?.[1]
    return words ? { object: words[locale] } : params
  }
  if (!(key in clusterRefusals)) return params
  const { status, action } = params
  const look = Object.entries(statusTable).find(([name]) => name === status)?.[1]
  const phrase = Object.entries(actionPhrases).find(([name]) => name === action)?.[1]
  return { ...params, ...(look && { status: look.label[locale] }), ...(phrase && { action: phrase[locale] }) }
}

/**
 * The sentence of `key` in `locale` with `{name}`s filled from `params`; an absent parameter leaves its braces.
 * Refusals of actions take a `ClusterStatus` and an action and tell them by label.
 */
export function errorMessage(key: ErrorKey, locale: 'en-US' | 'zh-CN', params: Params = {}): string {
  const words = wordsOf(key, locale, params)
  return errorCatalogue[key][locale].replace(/\{(\w+)\}/g, (braces, name: string) => String(words[name] ?? braces))
}
