/** What the audit log says of custom domains, in both languages. */
import { type AuditWords, words } from '../audit/audit-words.ts'
import type { DomainsAuditAction, DomainsAuditKind } from './audit.ts'

export const domainsAuditWords = {
  kinds: { domain: words('Domains', '域名') },
  sentences: {
    'domain.add': words('Added the domain {name}', '添加了域名 {name}'),
    'domain.prove': words('The TXT record of {name} was found', '已检测到 {name} 的 TXT 记录'),
    'domain.delegate': words('{name} points here', '{name} 已指向这里'),
    'domain.issue': words('Applied for the credential of {name}', '申请了 {name} 的凭证'),
    'domain.present': words('Presented the credential of {name}', '出示了 {name} 的凭证'),
    'domain.allocate': words('{name} is in use: its owner has an ID', '{name} 已启用：所有者已领取 ID'),
    'domain.serve': words('{name} is set up', '{name} 已配置完成'),
    'domain.setRule': words('Chose who may join {name}[: {ruleData}]', '设置了 {name} 的加入规则[：{ruleData}]'),
    'domain.setMethod': words(
      'Chose how {name} points here[: {domainMethod}]',
      '选择了 {name} 的指向方式[：{domainMethod}]',
    ),
    'domain.restart': words('Started over with the domain {name}', '重新开始绑定域名 {name}'),
    'domain.lapse': words(
      'The proof of {name} lapsed: it did not point here in time',
      '{name} 未及时指向这里，验证已失效',
    ),
    'domain.lose': words('{name} points here no more', '{name} 不再指向这里'),
    'domain.regain': words('{name} points here again', '{name} 已重新指向这里'),
    'domain.remove': words('Removed the domain {name}', '移除了域名 {name}'),
  },
  facts: {
    domainStatus: words('Step', '步骤'),
    domainMethod: words('Points here by', '指向方式'),
    ruleType: words('Who may join', '加入规则'),
    ruleData: words('Email domains', '邮箱域名'),
  },
  values: {
    domainMethod: { ns: words('delegation', '域名委派'), cname: words('CNAME', 'CNAME') },
    ruleType: {
      fixed_email_suffix: words('by email domain', '按邮箱域名'),
      specified_email_address: words('by invitation', '仅限受邀'),
    },
  },
} as const satisfies AuditWords<DomainsAuditKind, DomainsAuditAction>
