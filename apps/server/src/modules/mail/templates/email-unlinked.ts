import { z } from 'zod'
import { defineMail } from './mail-kind.ts'

/**
 * To the address that was bound, when another takes its place or it is removed: its owner may not be the one who did
 * it.
 */
export const emailUnlinkedMail = defineMail({
  kind: 'emailUnlinked',
  params: z.object({ account: z.string() }),
  compose: {
    'en-US': ({ account }, { product }) => ({
      subject: `This address is no longer linked to your ${product} account`,
      preview: `Notices about ${account} no longer come here.`,
      heading: 'This address was unlinked',
      before: [
        `This address is no longer linked to ${account}. Notices about it no longer come here.`,
        'If that was not you: open Sessions in the console, sign out every session you do not recognise, and link your address again.',
      ],
      action: { label: 'Open sessions', path: '/sessions' },
      after: [],
      reason: 'Sent because this address was linked to that account until now.',
    }),
    'zh-CN': ({ account }, { product }) => ({
      subject: `此邮箱已与你的 ${product} 账号解绑`,
      preview: `有关 ${account} 的通知不再发送到这里。`,
      heading: '此邮箱已解绑',
      before: [
        `此邮箱不再绑定到 ${account}，有关该账号的通知也不再发送到这里。`,
        '如果不是你本人操作：请在控制台打开“登录会话”，退出所有不认识的会话，然后重新绑定邮箱。',
      ],
      action: { label: '打开登录会话', path: '/sessions' },
      after: [],
      reason: '此邮箱此前绑定在该账号上，因此发送本邮件。',
    }),
  },
})
