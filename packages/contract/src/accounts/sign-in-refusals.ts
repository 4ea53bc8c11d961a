/** Why a signature or a sign-in code is not accepted (wire, "Login by QR"); part of the error catalogue. */
import { codes } from '../wire/envelope.ts'

export const signInRefusals = {
  jwsMalformed: { code: codes.badParameter, 'en-US': 'jws: not a compact JWS.', 'zh-CN': 'jws：不是紧凑格式的 JWS。' },
  jwsAlgorithm: {
    code: codes.badParameter,
    'en-US': 'jws: only the EdDSA algorithm is accepted.',
    'zh-CN': 'jws：只接受 EdDSA 算法。',
  },
  jwsSignature: {
    code: codes.forbidden,
    'en-US': 'The signature was not made by the key of this DID.',
    'zh-CN': '签名不是由这个 DID 的密钥生成的。',
  },
  jwsIssuer: {
    code: codes.forbidden,
    'en-US': 'The signed issuer and the DID in the request differ.',
    'zh-CN': '签名中的签发者与请求中的 DID 不一致。',
  },
  jwsExpired: { code: codes.forbidden, 'en-US': 'The signature has expired.', 'zh-CN': '签名已过期。' },
  clockAhead: {
    code: codes.forbidden,
    'en-US': 'The clock of the signing device is {minutes} min ahead. Set it to automatic and try again.',
    'zh-CN': '签名设备的时钟快了 {minutes} 分钟，请改为自动设置后重试。',
  },
  codeExpired: {
    code: codes.forbidden,
    'en-US': 'QR code has expired. Please refresh.',
    'zh-CN': '二维码已过期，请刷新。',
  },
  codeFromFuture: {
    code: codes.forbidden,
    'en-US': 'The clock of the screen that showed the code is {minutes} min ahead. Set it to automatic and try again.',
    'zh-CN': '显示二维码的设备时钟快了 {minutes} 分钟，请改为自动设置后重试。',
  },
  signedLongAgo: {
    code: codes.forbidden,
    'en-US': 'The signing device says this was signed {minutes} min ago. Check its clock and sign again.',
    'zh-CN': '按签名设备的时钟，这是 {minutes} 分钟前签名的。请检查其时钟后重新签名。',
  },
  codeUsed: {
    code: codes.conflict,
    'en-US': 'This code was already used. Refresh it and scan again.',
    'zh-CN': '这个二维码已被使用，请刷新后重新扫描。',
  },
  otherDidExpected: {
    code: codes.forbidden,
    'en-US': 'This code asks for another identity. Choose {did} and scan again.',
    'zh-CN': '这个二维码要求使用另一个身份。请选择 {did} 后重新扫描。',
  },
  codeBurnt: {
    code: codes.conflict,
    'en-US': 'A wrong number was sent for this code. Refresh it and scan again.',
    'zh-CN': '这个二维码收到过错误的数字，已作废。请刷新后重新扫描。',
  },
  codeOfOtherBrowser: {
    code: codes.forbidden,
    'en-US': 'This code belongs to another browser. Refresh it and scan again.',
    'zh-CN': '这个二维码属于另一个浏览器，请刷新后重新扫描。',
  },
  otherAudience: {
    code: codes.forbidden,
    'en-US': 'This signature was made for {host}, not for this site.',
    'zh-CN': '这个签名是为 {host} 生成的，不是为本站。',
  },
  matchNumberWrong: {
    code: codes.forbidden,
    'en-US': 'That is not the number beside the code. The code is no longer valid: refresh it and scan again.',
    'zh-CN': '数字与二维码旁显示的不一致。这个二维码已作废，请刷新后重新扫描。',
  },
  matchNumberUnknown: {
    code: codes.forbidden,
    'en-US':
      'No page of this site shows this code, so its number cannot be checked. Open the site yourself and scan there.',
    'zh-CN': '本站没有页面显示这个二维码，无法核对数字。请自行打开本站再扫描。',
  },
  matchNumberMissing: {
    code: codes.forbidden,
    'en-US':
      'This site asks for the two digits beside the code, and this wallet did not send them. Update it, or use the web wallet at {walletUrl}.',
    'zh-CN': '本站要求输入二维码旁的两位数字，而这个钱包没有发送。请更新钱包，或使用网页钱包：{walletUrl}。',
  },
} as const
