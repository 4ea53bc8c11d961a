/** Refusals of calls about custom domains. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'
import { memberRefusals } from './member-refusals.ts'
import { transferRefusals } from './transfer-refusals.ts'

export const domainsRefusals = {
  ...memberRefusals,
  ...transferRefusals,
  domainMissing: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': 'Please input domain name',
    'zh-CN': '请输入域名',
  },
  domainIsAddress: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': 'Type the name alone, such as cloud.lagoon.example, without https://, a port or a path.',
    'zh-CN': '请只填写域名，例如 cloud.lagoon.example，不含 https://、端口或路径。',
  },
  domainIsNumber: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': '{domain} is an IP address or a number, not a domain name.',
    'zh-CN': '{domain} 是 IP 地址或数字，不是域名。',
  },
  domainSingleLabel: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': '{domain} has only one part. A domain has two or more, such as lagoon.example.',
    'zh-CN': '{domain} 只有一段，域名至少有两段，例如 lagoon.example。',
  },
  domainLetters: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': '“{label}” cannot be part of a domain. Use letters, digits, and hyphens between them.',
    'zh-CN': '域名中不能有“{label}”，只能使用字母、数字及中间的连字符。',
  },
  domainLabelLong: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': '“{label}” has more than 63 characters.',
    'zh-CN': '“{label}”超过 63 个字符。',
  },
  domainLong: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': 'In DNS, this name has {length} characters. At most {most} are possible.',
    'zh-CN': '这个域名在 DNS 中共 {length} 个字符，最多 {most} 个。',
  },
  domainReserved: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': 'Names under .{suffix} are not public domains.',
    'zh-CN': '.{suffix} 下的名称不是公共域名。',
  },
  domainPublicSuffix: {
    code: codes.badParameter,
    field: 'domain',
    'en-US': 'Anyone can register names under {domain}, so it belongs to nobody. Add a part in front of it.',
    'zh-CN': '任何人都可以在 {domain} 下注册名称，它不属于个人，请在前面加一段。',
  },
  domainOurs: {
    code: codes.conflict,
    field: 'domain',
    'en-US': '{domain} is in use by this service itself.',
    'zh-CN': '{domain} 由本服务自己使用。',
  },
  domainDidNamed: {
    code: codes.conflict,
    'en-US': 'The current DID cannot be linked to a new domain',
    'zh-CN': '当前 DID 不能绑定新的域名',
  },
  domainTooMany: {
    code: codes.conflict,
    'en-US': '{most} of your domains are unfinished. Finish or remove one of them first.',
    'zh-CN': '你有 {most} 个域名尚未完成，请先完成或移除其中一个。',
  },
  domainParentProven: {
    code: codes.conflict,
    field: 'domain',
    'en-US': 'It is part of {other}, which is already linked. Its owner decides about the names below it.',
    'zh-CN': '包含这个域名的 {other} 已被绑定，其下的名称由该域名的所有者决定。',
  },
  domainChildProven: {
    code: codes.conflict,
    field: 'domain',
    'en-US': '{other}, which is part of it, is already linked. Only domains without linked parts can be linked.',
    'zh-CN': '这个域名的一部分 {other} 已被绑定，只能绑定没有已绑定子域名的域名。',
  },
  domainConfirm: {
    code: codes.badParameter,
    field: 'confirm',
    'en-US': 'Type {domain} to continue.',
    'zh-CN': '请输入 {domain} 以继续。',
  },
  domainNoNameServers: {
    code: codes.conflict,
    field: 'method',
    'en-US': 'This service has no name servers. Point the domain here with a CNAME record.',
    'zh-CN': '本服务没有域名服务器，请使用 CNAME 记录指向这里。',
  },
  ownRecordName: {
    code: codes.badParameter,
    field: 'name',
    'en-US': 'Use @ for {domain} itself, or a name that begins with _, such as _dmarc or key1._domainkey.',
    'zh-CN': '{domain} 本身请填 @，否则请使用以 _ 开头的名称，例如 _dmarc 或 key1._domainkey。',
  },
  ownRecordValue: {
    code: codes.badParameter,
    field: 'value',
    'en-US': 'The {recordType} record of {name} cannot have this value. An example: {example}',
    'zh-CN': '{name} 的 {recordType} 记录不能使用此值，示例：{example}',
  },
  ownRecordAlias: {
    code: codes.conflict,
    field: 'name',
    'en-US': 'A CNAME record must be the only record of {name}. Remove the other record first.',
    'zh-CN': 'CNAME 记录必须是 {name} 的唯一记录，请先移除另一条记录。',
  },
  ownRecordsFull: {
    code: codes.conflict,
    'en-US': 'A domain can have {most} records of its own here. Remove one first.',
    'zh-CN': '每个域名在此最多可有 {most} 条自己的记录，请先移除一条。',
  },
  ownRecordsElsewhere: {
    code: codes.conflict,
    'en-US': '{domain} does not use our name servers. Add the record where its DNS is managed.',
    'zh-CN': '{domain} 不由本服务的域名服务器解析，请在其 DNS 服务商处添加记录。',
  },
  certificateStays: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} has its certificate as long as the domain is linked.',
    'zh-CN': '域名绑定期间，{name} 的证书会一直保留。',
  },
  domainNotNow: {
    code: codes.conflict,
    'en-US': 'This is not possible at this step of the domain: {domainStatus}.',
    'zh-CN': '域名当前步骤不能执行此操作：{domainStatus}。',
  },
  domainUnseen: {
    code: codes.conflict,
    'en-US': 'The records that prove this domain are not there now. Add them again, then check.',
    'zh-CN': '现在查不到证明该域名归属的记录。请重新添加记录后再检查。',
  },
  adminNameMalformed: {
    code: codes.badParameter,
    field: 'admin_olares_id',
    'en-US': 'The first ID of {domain} has 2 to 24 lowercase letters and digits in front of @{domain}.',
    'zh-CN': '{domain} 的首个 ID 由 2 到 24 个小写字母或数字加 @{domain} 组成。',
  },
  suffixMissing: {
    code: codes.badParameter,
    field: 'ruleData',
    'en-US': 'Enter at least one email domain, such as lagoon.example.',
    'zh-CN': '请至少填写一个邮箱域名，例如 lagoon.example。',
  },
  suffixTooMany: {
    code: codes.badParameter,
    field: 'ruleData',
    'en-US': '{count} email domains are too many. At most {most} are possible.',
    'zh-CN': '填写了 {count} 个邮箱域名，最多 {most} 个。',
  },
  suffixMalformed: {
    code: codes.badParameter,
    field: 'ruleData',
    'en-US': '“{suffix}” is not an email domain. It should look like lagoon.example.',
    'zh-CN': '“{suffix}”不是邮箱域名，格式应如 lagoon.example。',
  },
  suffixPublic: {
    code: codes.badParameter,
    field: 'ruleData',
    'en-US': 'Anyone can have an email at {suffix}. Enter the domain of your organization.',
    'zh-CN': '任何人都可以拥有 {suffix} 下的邮箱，请填写你组织自己的域名。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const domainsObjects = {
  domain: words('domain', '域名'),
  invitation: words('invitation', '邀请'),
} as const
