import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import { defineMail } from './mail-kind.ts'

/** About the account's data and its end. */
export const accountMail = defineMail({
  kind: 'account',
  params: z.object({
    about: z.literal('exportReady'),
    account: z.string(),
    until: z.iso.datetime(),
    timeZone: z.string(),
  }),
  compose: {
    'en-US': ({ account, until, timeZone }) => ({
      subject: `The export of ${account} is ready`,
      preview: 'One ZIP with everything we hold about you.',
      heading: 'Your export is ready',
      before: [
        'It is one ZIP with everything we hold about you, in formats that other programs read.',
        `It can be downloaded until ${deadlineText(new Date(until), timeZone, 'en-US')}, only signed in.`,
      ],
      action: { label: 'Open the profile', path: '/profile' },
      after: [],
      reason: `Sent because an export of the data about ${account} was asked for.`,
    }),
    'zh-CN': ({ account, until, timeZone }) => ({
      subject: `${account} 的数据导出已完成`,
      preview: '我们保存的全部数据，一个 ZIP。',
      heading: '数据导出已完成',
      before: [
        '一个 ZIP，包含我们保存的全部数据，采用通用格式。',
        `请在 ${deadlineText(new Date(until), timeZone, 'zh-CN')} 前登录下载。`,
      ],
      action: { label: '打开个人资料', path: '/profile' },
      after: [],
      reason: `因有人申请导出 ${account} 的数据而发送。`,
    }),
  },
})
