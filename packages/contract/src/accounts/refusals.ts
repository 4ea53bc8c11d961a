/** Refusals of calls about accounts: signing in, email and picture. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'
import { signInRefusals } from './sign-in-refusals.ts'

export const accountsRefusals = {
  ...signInRefusals,
  exportUnderWay: {
    code: codes.conflict,
    ...words('An export is being made. It takes a few minutes.', '正在导出，需要几分钟。'),
  },
  exportedToday: {
    code: codes.conflict,
    ...words('An export can be made once a day. Try again tomorrow.', '每天可导出一次，请明天再试。'),
  },
  closingAlready: { code: codes.conflict, ...words('This account is closing already.', '此账号已在注销中。') },
  notClosing: { code: codes.conflict, ...words('This account is not closing.', '此账号不在注销中。') },
  closeOwed: {
    code: codes.conflict,
    ...words(
      'An invoice is open. Pay it or cancel its order on the billing page first.',
      '有未付账单，请先在账单页付款或取消订单。',
    ),
  },
  closeDisputed: {
    code: codes.conflict,
    ...words(
      'A payment is disputed. The account can be closed when that is decided.',
      '有付款争议，处理完成后才能注销账号。',
    ),
  },
  closeBusy: {
    code: codes.conflict,
    ...words(
      'A backup or restore is running. Wait for its end or cancel it first.',
      '备份或恢复正在进行，请等待完成或先取消。',
    ),
  },
  closeStaff: {
    code: codes.conflict,
    ...words('A member of staff cannot be erased. End the role first.', '员工账号无法注销，请先结束其角色。'),
  },
  emailMalformed: {
    code: codes.badParameter,
    field: 'email',
    'en-US': 'This email address cannot receive mail. It should look like name@example.com.',
    'zh-CN': '无法向这个邮箱地址发送邮件，格式应如 name@example.com。',
  },
  emailAlreadyBound: {
    code: codes.conflict,
    field: 'email',
    'en-US': '{email} is already linked to this account.',
    'zh-CN': '{email} 已绑定到这个账号。',
  },
  emailCodeTooSoon: {
    code: codes.tooManyRequests,
    'en-US': 'A code was sent just now. Ask for another in {seconds} s.',
    'zh-CN': '刚刚发送过验证码，请在 {seconds} 秒后再获取。',
  },
  emailCodeTooMany: {
    code: codes.tooManyRequests,
    'en-US': '{count} codes were sent within an hour. Ask for another in {minutes} min.',
    'zh-CN': '一小时内已发送 {count} 次验证码，请在 {minutes} 分钟后再获取。',
  },
  emailCodeNone: {
    code: codes.conflict,
    'en-US': 'There is no open code for {email}. Ask for a new one.',
    'zh-CN': '{email} 没有待验证的验证码，请重新获取。',
  },
  emailCodeExpired: {
    code: codes.forbidden,
    field: 'code',
    'en-US': 'This code has expired. Ask for a new one.',
    'zh-CN': '验证码已过期，请重新获取。',
  },
  emailCodeWrong: {
    code: codes.forbidden,
    field: 'code',
    'en-US': 'That is not the code. Tries left: {left}.',
    'zh-CN': '验证码不正确，还可以试 {left} 次。',
  },
  emailCodeSpent: {
    code: codes.forbidden,
    field: 'code',
    'en-US': 'The code was mistyped {tries} times and no longer works. Ask for a new one.',
    'zh-CN': '验证码已输错 {tries} 次，不再有效，请重新获取。',
  },
  avatarNotPicture: {
    code: codes.badParameter,
    'en-US': 'This file is not a JPEG, PNG or WebP picture. Choose another one.',
    'zh-CN': '这个文件不是 JPEG、PNG 或 WebP 图片，请换一张。',
  },
  avatarUnreadable: {
    code: codes.badParameter,
    'en-US': 'This picture is damaged and cannot be read. Choose another one.',
    'zh-CN': '图片已损坏，无法读取，请换一张。',
  },
  avatarTooLarge: {
    code: codes.tooLarge,
    'en-US': 'The picture is larger than {megabytes} MB. Choose a smaller one.',
    'zh-CN': '图片超过 {megabytes} MB，请选择较小的图片。',
  },
  avatarTooManyPixels: {
    code: codes.tooLarge,
    'en-US': 'The picture has more than {megapixels} megapixels. Choose a smaller one.',
    'zh-CN': '图片超过 {megapixels} 百万像素，请选择较小的图片。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const accountsObjects = {
  export: words('export', '导出文件'),
  account: words('account', '账号'),
  session: words('session', '登录会话'),
  picture: words('picture', '图片'),
} as const
