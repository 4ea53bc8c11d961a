import { emailCodeLifetimeMs, emailCodeTries } from '@atoll/contract/accounts'
import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

const minutes = emailCodeLifetimeMs / 60_000

/** Proves that the person who binds an address reads its mail. */
export const emailCodeMail = defineMail({
  kind: 'emailCode',
  params: z.object({ code: z.string(), account: z.string() }),
  compose: {
    'en-US': ({ code, account }, { product }) => ({
      subject: `${code} is your ${product} code`,
      preview: `Type it within ${minutes} minutes to link this address.`,
      heading: 'Link this address',
      before: [`Type this code in the ${product} console to link this address to ${account}.`],
      figure: code,
      after: [
        `It works for ${minutes} minutes and can be tried ${emailCodeTries} times. Nobody from ${product} will ever ask you for it.`,
        'If this was not you, ignore this mail: nothing is linked without the code.',
      ],
      reason: 'Sent because someone signed in to that account entered this address.',
    }),
    'zh-CN': ({ code, account }, { product }) => ({
      subject: `${code} 是你的 ${product} 验证码`,
      preview: `请在 ${minutes} 分钟内输入，以绑定此邮箱。`,
      heading: '绑定此邮箱',
      before: [`请在 ${product} 控制台输入以下验证码，将此邮箱绑定到 ${account}。`],
      figure: code,
      after: [
        `验证码 ${minutes} 分钟内有效，最多可尝试 ${emailCodeTries} 次。${product} 的任何人都不会向你索要验证码。`,
        '如果不是你本人操作，请忽略此邮件：没有验证码就不会绑定任何邮箱。',
      ],
      reason: '有人登录该账号后填写了此邮箱，因此发送本邮件。',
    }),
  },
})
