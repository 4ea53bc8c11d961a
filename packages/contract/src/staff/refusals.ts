/** Refusals of calls of the operator's area. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const staffRefusals = {
  lastOperator: {
    code: codes.conflict,
    ...words(
      'This is the last operator. Make another person an operator first.',
      '这是最后一位运营人员，请先将他人设为运营人员。',
    ),
  },
  staffAlready: { code: codes.conflict, ...words('They have this role already.', '对方已拥有此角色。') },
  personUnknown: {
    code: codes.notFound,
    field: 'who',
    ...words('Nobody with this ID or DID has signed in here.', '没有使用此 ID 或 DID 登录过的人。'),
  },
  sessionTooOld: {
    code: codes.forbidden,
    ...words(
      'You signed in more than 15 minutes ago. Sign out and in again to export.',
      '登录已超过 15 分钟，请退出并重新登录后再导出。',
    ),
  },
  clusterHeld: {
    code: codes.conflict,
    ...words(
      'This cluster is suspended or its account is closing, so it cannot be started now. See why on the home page.',
      '此集群已被暂停或账号正在注销，目前无法启动，原因见首页。',
    ),
  },
  accountHeld: {
    code: codes.conflict,
    ...words(
      'This account is suspended or closing, so nothing can be ordered now. See why on the home page.',
      '此账号已被暂停或正在注销，目前无法订购，原因见首页。',
    ),
  },
  operationHeld: {
    code: codes.conflict,
    ...words('The worker {process} is at it now. Look again in a moment.', '工作进程 {process} 正在处理，请稍后再看。'),
  },
  nothingToGiveUp: {
    code: codes.conflict,
    ...words('Nothing runs or is stuck on this cluster.', '此集群没有进行中或卡住的操作。'),
  },
  reasonFirst: {
    code: codes.conflict,
    ...words('Say why you open this customer first.', '请先填写查看此客户的原因。'),
  },
  attentionGone: {
    code: codes.conflict,
    ...words('This needs nobody any more.', '此事项已无需处理。'),
  },
  eraseClusters: {
    code: codes.conflict,
    ...words('The customer still has clusters. They have to be destroyed first.', '客户仍有集群，须先销毁。'),
  },
  eraseNoExport: {
    code: codes.conflict,
    ...words(
      'No export was made within 30 days. Make one and hand it over first.',
      '30 天内未导出数据，请先导出并交付。',
    ),
  },
  heldAlready: { code: codes.conflict, ...words('This is suspended already.', '已处于暂停状态。') },
  amountTooLarge: {
    code: codes.conflict,
    field: 'amount',
    ...words('{limit} is the most now.', '目前最多为 {limit}。'),
  },
  dayLimit: {
    code: codes.conflict,
    field: 'amount',
    ...words(
      'An operator moves at most {limit} a day; {left} is left today.',
      '每位运营人员每天最多处理 {limit}，今天还剩 {left}。',
    ),
  },
  paymentDisputed: {
    code: codes.conflict,
    ...words('This payment is disputed. A refund would pay it twice.', '此付款存在争议，退款会造成重复支付。'),
  },
  currencyFixed: {
    code: codes.conflict,
    field: 'currency',
    ...words(
      'There is a bill, credit, order or spend cap already, so the currency stays.',
      '已有账单、余额、订单或消费上限，币种无法更改。',
    ),
  },
  supportAsksNothing: {
    code: codes.conflict,
    ...words(
      'Support does not ask to look at this account for this reason now. Read the request again.',
      '客服目前没有以此原因申请查看此账号。请重新阅读申请。',
    ),
  },
  consentFirst: {
    code: codes.conflict,
    ...words('The customer has to allow this look first.', '需先获得客户同意。'),
  },
  noEmail: { code: codes.conflict, ...words('This customer has linked no email.', '此客户未关联邮箱。') },
  disputeAnswered: {
    code: codes.conflict,
    ...words('The bank was answered already. It cannot be changed.', '已答复银行，无法更改。'),
  },
  disputeOver: { code: codes.conflict, ...words('The deadline has passed.', '期限已过。') },
  nothingOwed: {
    code: codes.conflict,
    ...words('Nothing of this invoice can be written off now.', '此账单目前没有可核销的款项。'),
  },
  outcomeKnown: {
    code: codes.conflict,
    ...words('How this payment ended is known by now.', '此付款的结果现已明确。'),
  },
  refOfOther: {
    code: codes.conflict,
    field: 'ref',
    ...words('The gateway knows this payment as {ref}.', '支付网关中此付款的编号为 {ref}。'),
  },
  refTaken: {
    code: codes.conflict,
    field: 'ref',
    ...words('This charge stands for another payment here already.', '此扣款在此处已对应另一笔付款。'),
  },
  refNeeded: {
    code: codes.conflict,
    field: 'ref',
    ...words('Enter the gateway’s id of the charge.', '请输入支付网关的扣款编号。'),
  },
  captureOfOther: {
    code: codes.conflict,
    field: 'accountId',
    ...words('This was paid with a card of another account.', '此款由另一账号的银行卡支付。'),
  },
  captureCurrency: {
    code: codes.conflict,
    field: 'accountId',
    ...words('This account pays in another currency.', '此账号使用其他币种。'),
  },
  captureSpent: {
    code: codes.conflict,
    ...words('The account owes more than it has, so nothing can go back.', '此账号欠款多于余额，无法退回。'),
  },
  reportClosed: { code: codes.conflict, ...words('This report is closed already.', '此举报已处理。') },
  versionNotOffered: {
    code: codes.conflict,
    ...words('This server does not offer that version any more. Look again.', '此服务器已不再提供该版本，请重新查看。'),
  },
  releaseNotSigned: {
    code: codes.conflict,
    ...words('This release is not signed, so no agent would install it.', '此版本未签名，Agent 不会安装。'),
  },
  rolloutOpen: { code: codes.conflict, ...words('This version is being rolled out already.', '该版本正在发布。') },
  rolloutNotRunning: { code: codes.conflict, ...words('This rollout does not run.', '此发布未在进行。') },
  rolloutNotPaused: { code: codes.conflict, ...words('This rollout is not paused.', '此发布未暂停。') },
  putOffTwice: {
    code: codes.conflict,
    ...words('This update was put off twice. It cannot be put off again.', '此更新已推迟两次，不能再推迟。'),
  },
  approvalExpired: {
    code: codes.conflict,
    ...words('The request expired. Nothing was changed.', '请求已过期，未作任何更改。'),
  },
  approvalUsed: {
    code: codes.conflict,
    ...words('This approval was used already. Nothing was changed.', '此批准已使用过，未作任何更改。'),
  },
  approvalChanged: {
    code: codes.conflict,
    ...words('This changed since you opened it. Look again.', '打开后内容已变化，请重新查看。'),
  },
  approvalOfOther: {
    code: codes.forbidden,
    ...words('Only the wallet that was asked can approve this.', '只有被询问的钱包才能批准。'),
  },
  approvalsTooMany: {
    code: codes.tooManyRequests,
    ...words(
      '{count} approvals were asked for within an hour. Wait a while.',
      '一小时内已请求 {count} 次批准，请稍后再试。',
    ),
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const staffObjects = {
  hold: words('suspension', '暂停'),
  dispute: words('dispute', '争议'),
  abuseReport: words('report', '举报'),
  rollout: words('rollout', '发布'),
  update: words('update', '更新'),
} as const
