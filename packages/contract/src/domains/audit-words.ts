/** Sentences of the audit log about custom domains, in both languages. */
import type { AuditWords } from '../audit/audit-words.ts'
import { words } from '../wire/words.ts'

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
    'domain.addRecord': words(
      'Added the record[ {record}] to the zone of {name}',
      '在 {name} 的区域中添加了记录[ {record}]',
    ),
    'domain.removeRecord': words(
      'Removed the record[ {record}] from the zone of {name}',
      '从 {name} 的区域中移除了记录[ {record}]',
    ),
    'domain.restart': words('Started over with the domain {name}', '重新开始绑定域名 {name}'),
    'domain.lapse': words('The proof of {name} lapsed: it was not linked in time', '{name} 未及时完成绑定，验证已失效'),
    'domain.lose': words('{name} no longer points here', '{name} 不再指向这里'),
    'domain.regain': words('{name} points here again', '{name} 已重新指向这里'),
    'domain.revoke': words('The operator revoked the credential of {name}', '运营方吊销了 {name} 的凭证'),
    'domain.claim': words(
      'The TXT record of {name} was found, and its owner was asked',
      '已检测到 {name} 的 TXT 记录，已询问该域名的现有所有者',
    ),
    'domain.contest': words('Someone else verified {name}', '其他人验证了 {name}'),
    'domain.defend': words(
      'The TXT record of {name} was shown again: it stays',
      '{name} 的 TXT 记录已重新出现，域名保留',
    ),
    'domain.refuse': words('The owner of {name} proved that it is theirs', '{name} 的所有者已证明域名归其所有'),
    'domain.unclaim': words('No one else claims {name} any longer', '已没有其他人主张 {name}'),
    'domain.release': words(
      'Released {name}: someone else had verified it, and the TXT record was not shown again',
      '已释放 {name}：其他人已验证该域名，且 TXT 记录未重新出现',
    ),
    'domain.takeAway': words('Released the domain {name} by the operator', '运营方释放了域名 {name}'),
    'domain.remove': words('Removed the domain {name}', '移除了域名 {name}'),
    'domain.invite': words('Invited {memberName} to {name}', '邀请 {memberName} 加入 {name}'),
    'domain.renewInvite': words(
      'Made a new one-time password for {memberName} at {name}',
      '为 {name} 的 {memberName} 更新了一次性密码',
    ),
    'domain.withdrawInvite': words(
      'Took back the invitation of {memberName} to {name}',
      '撤回了 {memberName} 加入 {name} 的邀请',
    ),
    'domain.removeCertificate': words(
      'Removed the certificate of {certificateName} under {name}',
      '移除了 {name} 下 {certificateName} 的证书',
    ),
    'domain.removeMember': words('Removed {memberName} from {name}', '将 {memberName} 移出了 {name}'),
    'domain.join': words('{memberName} joined {name}', '{memberName} 加入了 {name}'),
    'domain.renewCredential': words('The credential of {name} was renewed', '已续期 {name} 的凭证'),
    'domain.offer': words('Offered {name}[ to {memberName}]', '提出移交 {name}[ 给 {memberName}]'),
    'domain.signOffer': words('Signed the transfer of {name}[ to {memberName}]', '已签名移交 {name}[ 给 {memberName}]'),
    'domain.withdrawOffer': words(
      'Took back the offer of {name}[ to {memberName}]',
      '撤回了移交 {name}[ 给 {memberName}]',
    ),
    'domain.declineOffer': words('{memberName} declined to take over {name}', '{memberName} 拒绝接收 {name}'),
    'domain.handOver': words('{memberName} took over {name}', '{memberName} 接收了 {name}'),
    'domain.takeOver': words('Took over the domain {name}', '接收了域名 {name}'),
  },
  facts: {
    domainStatus: words('Step', '步骤'),
    domainMethod: words('Points here by', '指向方式'),
    ruleType: words('Who may join', '加入规则'),
    ruleData: words('Email domains', '邮箱域名'),
    memberName: words('Member', '成员'),
    record: words('Record', '记录'),
    certificateName: words('Certificate', '证书'),
    memberEmail: words('Email', '邮箱'),
  },
  values: {
    domainMethod: { ns: words('delegation', '域名委派'), cname: words('CNAME', 'CNAME') },
    ruleType: {
      fixed_email_suffix: words('by email domain', '按邮箱域名'),
      specified_email_address: words('by invitation', '仅限受邀'),
    },
  },
} as const satisfies AuditWords

export type DomainsAuditAction = keyof typeof domainsAuditWords.sentences
