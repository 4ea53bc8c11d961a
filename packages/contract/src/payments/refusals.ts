/** Refusals of calls and webhooks about payments. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const paymentsRefusals = {
  webhookUnsigned: {
    code: codes.forbidden,
    'en-US': 'The payment gateway did not sign this webhook, or not lately.',
    'zh-CN': '此回调没有支付网关的有效签名，或签名已过期。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const paymentsObjects = {
  card: words('card', '银行卡'),
} as const
