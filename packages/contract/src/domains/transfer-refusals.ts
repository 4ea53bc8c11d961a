/** Refusals of handing a custom domain over. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const transferRefusals = {
  transferMember: {
    code: codes.badParameter,
    field: 'to',
    'en-US': '{name} has no ID under {domain}. A domain is handed on to a member who has joined.',
    'zh-CN': '{name} 没有 {domain} 下的 ID，域名只能移交给已加入的成员。',
  },
  transferSelf: {
    code: codes.badParameter,
    field: 'to',
    'en-US': 'The domain is yours already.',
    'zh-CN': '域名已归你所有。',
  },
  transferContested: {
    code: codes.conflict,
    'en-US': 'Somebody else has proved {domain}. It can be handed on once that is settled.',
    'zh-CN': '其他人验证了 {domain}，此事解决后才能移交。',
  },
  /** The same whether there is such a domain or not. */
  transferNone: {
    code: codes.conflict,
    field: 'domain',
    'en-US': 'No offer to take over {domain} is open. It may have ended.',
    'zh-CN': '目前没有移交 {domain} 的提议，可能已经结束。',
  },
  transferDiffers: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'The signature is for another {what} than this offer. Open the offer in the wallet again.',
    'zh-CN': '签名内容中的 {what} 与此次移交不一致，请在钱包中重新打开。',
  },
  transferUnsigned: {
    code: codes.conflict,
    'en-US': '{from} has not signed yet. Once they have, you can accept.',
    'zh-CN': '{from} 尚未签名，签名后你才能接受。',
  },
} as const satisfies Refusals
