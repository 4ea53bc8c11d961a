/** The steps of a custom domain (spec §4), the ways of pointing it here, and what may be done with it. */
import { type Words, words } from '../wire/words.ts'

/** In the order in which they are taken. */
export const domainStatuses = [
  'WAIT_TXT',
  'WAIT_NS',
  'WAIT_REQUEST_VC',
  'WAIT_SUBMIT_VP',
  'WAIT_RULE_SET',
  'BINDING',
  'BIND',
  'ALLOCATED',
] as const
export type DomainStatus = (typeof domainStatuses)[number]

/** `ns`: the name is delegated to our name servers. `cname`: its wildcard points at the edge. */
export const domainMethods = ['ns', 'cname'] as const
export type DomainMethod = (typeof domainMethods)[number]

export const domainActions = ['check', 'method', 'restart', 'setRule', 'transfer', 'delete'] as const
export type DomainAction = (typeof domainActions)[number]

/** Rules for joining: an email address at one of these hosts, or an invitation. */
export const ruleTypes = ['fixed_email_suffix', 'specified_email_address'] as const
export type RuleType = (typeof ruleTypes)[number]

export const domainStatusLabels: Record<DomainStatus, Words> = {
  WAIT_TXT: words('Add a TXT record', '添加 TXT 记录'),
  WAIT_NS: words('Add an NS record', '添加 NS 记录'),
  WAIT_REQUEST_VC: words('Apply for the credential', '申请凭证'),
  WAIT_SUBMIT_VP: words('Present the credential', '出示凭证'),
  WAIT_RULE_SET: words('Choose who may join', '设置加入规则'),
  BINDING: words('Being set up', '正在配置'),
  BIND: words('Ready for your ID', '可领取 ID'),
  ALLOCATED: words('Active', '使用中'),
}
