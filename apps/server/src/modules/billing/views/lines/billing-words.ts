/** Names of documents about money, in the caller's language. */
import type { BalanceChangeType } from '@atoll/contract/billing'
import type { Locale } from '@atoll/contract/wire'
import type { DisputeState } from '../../../payments/index.ts'

interface BillingWords {
  order: (what: string) => string
  master: (cluster: string) => string
  worker: (cluster: string, ordinal: number) => string
  workers: (cluster: string, count: number) => string
  separator: string
  more: (shown: string, count: number) => string
  /** `document`: the number of the invoice it is about; undefined where it is about none. */
  changes: Record<BalanceChangeType, (document: string | undefined) => string>
  /** Why something was given back of an invoice; `names` of what it was charged for. */
  credits: {
    destroyed: (names: string) => string
    planEnded: (names: string) => string
    ofDays: (ended: string, back: string, all: string) => string
    neverRan: (names: string) => string
    stopped: (names: string) => string
    readings: (names: string) => string
    refunded: (names: string, reason: string) => string
  }
  /** How a payment is disputed, by what it says of itself. */
  disputes: Record<DisputeState, (amount: string) => string>
}

const about = (text: string, join: string) => (document: string | undefined) =>
  document === undefined ? text : `${text}${join}${document}`
const en = (text: string) => about(text, ', ')
const zh = (text: string) => about(text, '，')

export const billingWords: Record<Locale, BillingWords> = {
  'en-US': {
    order: (what) => `Order of ${what}`,
    master: (cluster) => `${cluster} master`,
    worker: (cluster, ordinal) => `${cluster} worker ${ordinal}`,
    workers: (cluster, count) => `${cluster}, ${count} workers`,
    separator: ', ',
    more: (shown, count) => `${shown} and ${count} more`,
    changes: {
      hold: en('Paid, or set aside until it is paid'),
      release: en('Back, because it was not paid'),
      roll: en('Too little for a card: it stands on the next bill'),
      collect: en('What stood on this bill from before, paid by card'),
      late_capture: en('The card paid for what was canceled by then'),
      credit_note: en('Given back of what was charged'),
      grant: en('Promotional credit'),
      lapse: en('Promotional credit that ran out'),
      card_refund: en('Given back to the card'),
      refund_returned: en('Back, because the card did not take it'),
      dispute_lost: en('Taken back by the bank, and owed again'),
      dispute_returned: en('Put back by the bank'),
      adjust: en('Changed by the operator'),
    },
    credits: {
      destroyed: (names) => `${names}: destroyed`,
      planEnded: (names) => `${names}: ended`,
      ofDays: (ended, back, all) => `${ended}, ${back} of ${all} days given back`,
      neverRan: (names) => `${names}: never ran, all of it given back`,
      stopped: (names) => `${names}: stopped by us, that time given back`,
      readings: (names) => `${names}: readings were corrected`,
      refunded: (names, reason) => `${names}: ${reason}`,
    },
    disputes: {
      inquiry: (amount) => `Your bank asks about ${amount} of it.`,
      open: (amount) => `You dispute ${amount} of it with your bank, which has not decided.`,
      won: (amount) => `You disputed ${amount} of it with your bank. It stands.`,
      lost: (amount) => `Your bank took ${amount} of it back for good. It is owed again.`,
      closed: (amount) => `Your bank asked about ${amount} of it. It stands.`,
    },
  },
  'zh-CN': {
    order: (what) => `订购 ${what}`,
    master: (cluster) => `${cluster} 主节点`,
    worker: (cluster, ordinal) => `${cluster} 工作节点 ${ordinal}`,
    workers: (cluster, count) => `${cluster} 的 ${count} 个工作节点`,
    separator: '、',
    more: (shown, count) => `${shown} 等，另有 ${count} 项`,
    changes: {
      hold: zh('已支付，或在付清前预留'),
      release: zh('未付成，已退回'),
      roll: zh('金额过小，不刷卡，计入下期账单'),
      collect: zh('此前计入账单的金额，已刷卡支付'),
      late_capture: zh('订单取消后银行卡才扣款，转为余额'),
      credit_note: zh('退回已收取的费用'),
      grant: zh('赠送额度'),
      lapse: zh('赠送额度已过期'),
      card_refund: zh('退回银行卡'),
      refund_returned: zh('银行卡未能入账，已退回余额'),
      dispute_lost: zh('银行撤回付款，需重新支付'),
      dispute_returned: zh('银行已归还款项'),
      adjust: zh('运营方调整'),
    },
    credits: {
      destroyed: (names) => `${names}：已销毁`,
      planEnded: (names) => `${names}：已结束`,
      ofDays: (ended, back, all) => `${ended}，退回 ${all} 天中的 ${back} 天`,
      neverRan: (names) => `${names}：从未运行，全额退回`,
      stopped: (names) => `${names}：由我们停机，停机时间的费用已退回`,
      readings: (names) => `${names}：读数已更正`,
      refunded: (names, reason) => `${names}：${reason}`,
    },
    disputes: {
      inquiry: (amount) => `银行正在询问其中的 ${amount}。`,
      open: (amount) => `你就其中的 ${amount} 向银行提出了争议，尚未裁定。`,
      won: (amount) => `你曾就其中的 ${amount} 向银行提出争议，该笔付款有效。`,
      lost: (amount) => `银行已撤回其中的 ${amount}，这笔款项需重新支付。`,
      closed: (amount) => `银行曾询问其中的 ${amount}，该笔付款有效。`,
    },
  },
}
