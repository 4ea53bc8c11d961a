/** The sentence of an approved act: the same in the wallet and on the page that asks for it. */
import { currencySymbols } from '../wire/constants.ts'
import { lookUp } from '../wire/unknown-words/read-open.ts'
import { type Words, words } from '../wire/words.ts'
import type { ApprovalStatement } from './approvals.ts'

/** By the act, and where it has several, by the first word of its object; `.one`: its object names one of several. */
const sentences: Readonly<Record<string, Words>> = {
  'staffChange.support': words('Give {name} the role support', '将 {name} 设为客服'),
  'staffChange.operator': words('Give {name} the role operator', '将 {name} 设为运营人员'),
  'staffChange.end': words('End the staff role of {name}', '结束 {name} 的员工角色'),
  'suspend.servers': words('Suspend {name}: its clusters stop', '暂停 {name}：集群停止'),
  'suspend.servers.one': words('Suspend {one} of {name}: it stops', '暂停 {name} 的 {one}：集群停止'),
  'suspend.visitors.one': words(
    'Suspend {one} of {name}: its visitors are turned away',
    '暂停 {name} 的 {one}：拒绝访客',
  ),
  'suspend.visitors': words('Suspend {name}: visitors are turned away', '暂停 {name}：拒绝访客'),
  'release.mistake.one': words(
    'Release {name}, and give back the time: it was a mistake',
    '解除 {name} 的暂停，并退回该时段费用：属误操作',
  ),
  'rolloutStart.agent.one': words('Roll out agent {one}', '发布 Agent {one}'),
  'rolloutContinue.agent.one': words('Continue the rollout of agent {one}', '继续发布 Agent {one}'),
  'rolloutBack.agent.one': words('Roll back agent {one}', '回退 Agent {one}'),
  'clusterCommand.stop.one': words('Stop {one} of {name}', '停止 {name} 的 {one}'),
  'clusterCommand.restart.one': words('Restart {one} of {name}', '重启 {name} 的 {one}'),
  'clusterCommand.repair.one': words('Repair {one} of {name}', '修复 {name} 的 {one}'),
  'clusterCommand.destroy.one': words(
    'Destroy {one} of {name}, with all its files',
    '销毁 {name} 的 {one} 及其全部文件',
  ),
  erase: words('Close {name}, and erase it after 14 days', '注销 {name}，14 天后删除'),
  keep: words('Keep {name}: it is not erased', '保留 {name}，不删除'),
  'limits.region.one': words('Change what may be sold of {one}', '更改可售上限：{one}'),
  release: words('Release {name}', '解除 {name} 的暂停'),
  'credit.cash': words('Credit {amount} to the balance of {name}', '向 {name} 的余额入账 {amount}'),
  'credit.promo': words('Give {name} {amount} of promotional credit', '向 {name} 赠送 {amount} 额度'),
  'refund.card.one': words('Refund {amount} of {one} to a card of {name}', '将 {one} 的 {amount} 退至 {name} 的银行卡'),
  'refund.balance.one': words(
    'Refund {amount} of {one} to the balance of {name}',
    '将 {one} 的 {amount} 退至 {name} 的余额',
  ),
  'refund.payout.one': words(
    'Send {amount} of the balance of {name} back to the card of {one}',
    '将 {name} 余额中的 {amount} 退回 {one} 的银行卡',
  ),
  'dispute.evidence.one': words(
    'Send the evidence on {one} of {name}, {amount}: it cannot be changed afterwards',
    '提交 {name} 的争议 {one}（{amount}）的证据：提交后无法更改',
  ),
  'dispute.accept.one': words(
    'Accept the dispute {one} of {name}: {amount} is lost',
    '接受 {name} 的争议 {one}：损失 {amount}',
  ),
  'writeOff.invoice.one': words('Write off {amount} of {one}, owed by {name}', '核销 {name} 的账单 {one}，{amount}'),
  'adopt.credit.one': words(
    'Credit {amount}, taken as {one}, to the balance of {name}',
    '将 {one} 扣取的 {amount} 记入 {name} 的余额',
  ),
  'adopt.back.one': words(
    'Send {amount}, taken as {one}, back to the card of {name}',
    '将 {one} 扣取的 {amount} 退回 {name} 的银行卡',
  ),
  'resolve.charged.one': words(
    'Take {one} of {name}, {amount}, as charged',
    '将 {name} 的付款 {one}（{amount}）视为已扣款',
  ),
  'resolve.notCharged.one': words(
    'Take {one} of {name}, {amount}, as not charged',
    '将 {name} 的付款 {one}（{amount}）视为未扣款',
  ),
}

type Asked = Pick<ApprovalStatement, 'act' | 'object' | 'amount' | 'currency'>

/** The sentence for what is asked about `name`; undefined: this program does not know the act, and must not sign it. */
export function actWords({ act, object, amount, currency }: Asked, name: string): Words | undefined {
  const [kind, one = ''] = object.split(' ')
  const found =
    sentences[`${act}.${kind}${one && '.one'}`] ?? lookUp<string, Words | undefined>(sentences, act, undefined)
  if (!found) return undefined
  const sum = amount === undefined || !currency ? '' : `${currencySymbols[currency]}${(amount / 100).toFixed(2)}`
  const fill = (text: string) =>
    text
      .replace('{one}', one)
      .replace('{amount}', sum)
      .replace('{name}', () => name)
  return words(fill(found['en-US']), fill(found['zh-CN']))
}
