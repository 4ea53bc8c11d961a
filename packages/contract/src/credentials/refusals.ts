/** Refusals of applications for a credential, and of presentations. */
import { codes } from '../wire/envelope.ts'
import type { Refusals } from '../wire/refusals.ts'
import { words } from '../wire/words.ts'

export const credentialsRefusals = {
  signedByOther: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'This was signed by a different identity than the one signed in.',
    'zh-CN': '签名者不是当前登录的身份。',
  },
  applicationForeign: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'This application is for a different form than the one requested ({what}).',
    'zh-CN': '申请所对应的表单与要求的不一致（{what}）。',
  },
  applicationDiffers: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'The {what} in the application differs from this request.',
    'zh-CN': '申请中的 {what} 与此请求不一致。',
  },
  presentationForeign: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'This presentation is for a different request ({what}).',
    'zh-CN': '出示内容所对应的要求不一致（{what}）。',
  },
  credentialForeign: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'The credential was not issued here to this identity for {domain}.',
    'zh-CN': '这份凭证不是由本服务签发给当前身份用于 {domain} 的。',
  },
  credentialExpired: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'The credential has expired. Apply for a new one.',
    'zh-CN': '凭证已过期，请重新申请。',
  },
  credentialRevoked: {
    code: codes.forbidden,
    field: 'jws',
    'en-US': 'The credential was revoked. Apply for a new one.',
    'zh-CN': '凭证已被吊销，请重新申请。',
  },
  presentationRepeated: {
    code: codes.conflict,
    field: 'jws',
    'en-US': 'This presentation was used before. Present the credential again.',
    'zh-CN': '这份出示已被使用过，请重新出示凭证。',
  },
} as const satisfies Refusals

/** Objects that `notFound` can name. */
export const credentialsObjects = {
  credentialDocument: words('document', '文档'),
} as const
