/**
 * Why an account can create nothing. Apart from the catalogue's other rows: home says it before it is asked for, and
 * loads no other row for that.
 */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const createRefusals = {
  createNotPermitted: {
    code: codes.forbidden,
    'en-US': 'Unfortunately, you do not have permission to create an {product}.',
    'zh-CN': '抱歉，你没有创建 {product} 的权限。',
  },
  idNotBound: {
    code: codes.conflict,
    'en-US': 'Bind an {product} ID in the {wallet} app first, then create your {product}.',
    'zh-CN': '请先在 {wallet} 应用中绑定 {product} ID，再创建 {product}。',
  },
} as const satisfies Refusals
