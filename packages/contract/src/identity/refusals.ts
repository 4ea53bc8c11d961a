/** Refusals of the identity service. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const identityRefusals = {
  didMalformed: {
    code: codes.badParameter,
    'en-US': 'did: not a did:key of an Ed25519 key.',
    'zh-CN': 'did：不是 Ed25519 密钥的 did:key。',
  },
  didUnknown: { code: codes.notFound, 'en-US': 'This DID is not registered.', 'zh-CN': '这个 DID 尚未注册。' },
  nameUnknown: { code: codes.notFound, 'en-US': 'No name is bound to this DID.', 'zh-CN': '这个 DID 没有绑定名称。' },
  nameMalformed: {
    code: codes.badParameter,
    field: 'name',
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
    field: 'name',
    'en-US': '{name} is reserved. Choose another name.',
    'zh-CN': '{name} 是保留名称，请换一个。',
  },
  nameTaken: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} is taken. Choose another name.',
    'zh-CN': '{name} 已被占用，请换一个。',
  },
  /** It was ended by the owner of its domain, or with the account that had it, and rests. */
  nameRemoved: {
    code: codes.conflict,
    field: 'name',
    'en-US':
      '{name} was in use before and is available again on {date}. Until then, only the owner of the domain can give it to someone, by an invitation.',
    'zh-CN': '{name} 曾被使用，{date} 起可再次领取。在此之前，只有域名所有者可以通过邀请分配它。',
  },
  /** Its last holder has the first right to it for 90 days. */
  nameKept: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} is kept for its last holder until {date}. Choose another name.',
    'zh-CN': '{name} 为原持有者保留至 {date}，请换一个。',
  },
  alreadyNamed: {
    code: codes.conflict,
    'en-US': 'This DID already has the name {name}.',
    'zh-CN': '这个 DID 已有名称 {name}。',
  },
} as const satisfies Refusals
