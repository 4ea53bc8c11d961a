/** Refusals of calls about the members of a custom domain. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'

export const memberRefusals = {
  organizationUnknown: {
    code: codes.organizationUnknown,
    field: 'org_domain',
    'en-US': 'There is no organization here with the domain {domain}.',
    'zh-CN': '这里没有使用域名 {domain} 的组织。',
  },
  /** The same for a name that was never invited: nobody learns who was. */
  joinRefused: {
    code: codes.joinRefused,
    field: 'member_password',
    'en-US':
      'This name and one-time password do not belong together, or the password no longer works. Ask your administrator for a new one.',
    'zh-CN': '名称与一次性密码不匹配，或密码已失效。请向管理员索取新密码。',
  },
  joinInvitedOnly: {
    code: codes.forbidden,
    field: 'member_password',
    'en-US': 'Only those who were invited can join {domain}. Type the one-time password of your invitation.',
    'zh-CN': '只有受邀者才能加入 {domain}，请输入邀请中的一次性密码。',
  },
  joinEmailMissing: {
    code: codes.forbidden,
    'en-US': 'Link your email first: anyone with an address at {suffixes} can join {domain}.',
    'zh-CN': '请先绑定邮箱：拥有 {suffixes} 邮箱的人可以加入 {domain}。',
  },
  joinEmailOther: {
    code: codes.forbidden,
    'en-US': 'Your email {email} is not at {suffixes}. Link one that is, or ask to be invited to {domain}.',
    'zh-CN': '你的邮箱 {email} 不属于 {suffixes}。请绑定符合要求的邮箱，或请对方邀请你加入 {domain}。',
  },
  /** In the words of the specification. */
  organizationEmail: {
    code: codes.forbidden,
    'en-US': 'Please use Gmail or Google Workspace email to register your organization account.',
    'zh-CN': '请使用 Gmail 或 Google Workspace 邮箱注册你的组织账号。',
  },
  organizationEmailUnknown: {
    code: codes.unavailable,
    'en-US': 'We could not find out whether {host} is at Google Workspace. Try again in a few minutes.',
    'zh-CN': '暂时无法确认 {host} 是否使用 Google Workspace，请几分钟后重试。',
  },
  domainUnreachable: {
    code: codes.unavailable,
    'en-US': '{domain} does not point here at the moment. Nobody can join until it does again.',
    'zh-CN': '{domain} 目前没有指向这里，恢复之前无法加入。',
  },
  invitationNameKept: {
    code: codes.conflict,
    field: 'name',
    'en-US':
      '{name} is kept for its last holder until {date}, and nobody else can join with it. Choose another name, or invite them by email.',
    'zh-CN': '{name} 为原持有者保留至 {date}，其他人无法用它加入。请换一个名称，或填写邮箱来邀请原持有者。',
  },
  memberExists: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} is invited already. Renew the one-time password instead.',
    'zh-CN': '{name} 已被邀请，请改为更新一次性密码。',
  },
  memberJoined: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} has this ID already.',
    'zh-CN': '{name} 已领取 ID。',
  },
  memberIsOwner: {
    code: codes.conflict,
    field: 'name',
    'en-US': '{name} is the ID of the domain’s owner, and ends with the domain alone.',
    'zh-CN': '{name} 是域名所有者的 ID，只随域名一起失效。',
  },
  memberConfirm: {
    code: codes.badParameter,
    field: 'confirm',
    'en-US': 'Type {name} to continue.',
    'zh-CN': '请输入 {name} 以继续。',
  },
  invitationsTooMany: {
    code: codes.conflict,
    'en-US': '{most} invitations are open. Take some back first.',
    'zh-CN': '已有 {most} 个未接受的邀请，请先撤回一些。',
  },
  invitationMailTooMany: {
    code: codes.tooManyRequests,
    field: 'email',
    'en-US': 'That is too many invitations by mail. Wait {minutes} min, or hand the one-time password over yourself.',
    'zh-CN': '发出的邀请邮件过多，请等待 {minutes} 分钟，或自行转交一次性密码。',
  },
} as const satisfies Refusals
