/** Refusals that any call can answer. Texts given by spec §8 are letter for letter. */
import { codes } from './envelope.ts'
import type { Words } from './words.ts'

/**
 * Rows of the error catalogue: the code of the envelope, the sentence (`{name}` stands for a parameter), and the field
 * of the body that is refused, where a person types it: a form shows the sentence there.
 */
export type Refusals = Record<string, { code: number; field?: string } & Words>

export const wireRefusals = {
  badParameter: { code: codes.badParameter, 'en-US': '{field}: {reason}', 'zh-CN': '{field}：{reason}' },
  missingParameter: { code: codes.badParameter, 'en-US': '{field}: is missing.', 'zh-CN': '{field}：缺少此参数。' },
  unknownParameter: {
    code: codes.badParameter,
    'en-US': '{field}: this call has no such field.',
    'zh-CN': '{field}：此调用没有这个字段。',
  },
  bodyNotJson: { code: codes.badParameter, 'en-US': 'body: not valid JSON.', 'zh-CN': 'body：不是有效的 JSON。' },
  bodyNotObject: { code: codes.badParameter, 'en-US': 'body: must be an object.', 'zh-CN': 'body：必须是一个对象。' },
  bodyTooComplex: {
    code: codes.badParameter,
    'en-US': 'body: more than {fields} fields or {levels} levels of nesting.',
    'zh-CN': 'body：字段超过 {fields} 个，或嵌套超过 {levels} 层。',
  },
  requestMalformed: {
    code: codes.badParameter,
    'en-US': 'The request is malformed: {what}.',
    'zh-CN': '请求格式错误：{what}。',
  },
  methodWrong: {
    code: codes.methodWrong,
    'en-US': 'This address does not take that method; it takes {allow}.',
    'zh-CN': '该地址不支持此方法，只支持 {allow}。',
  },
  unsupportedType: {
    code: codes.unsupportedType,
    'en-US': 'Send a form or JSON: content-type application/x-www-form-urlencoded or application/json.',
    'zh-CN': '请发送表单或 JSON：content-type 应为 application/x-www-form-urlencoded 或 application/json。',
  },
  signedOut: {
    code: codes.signedOut,
    'en-US': 'You are not signed in, or your session has expired.',
    'zh-CN': '你尚未登录，或登录已过期。',
  },
  notFound: { code: codes.notFound, 'en-US': 'There is no such {object}.', 'zh-CN': '不存在这个对象（{object}）。' },
  callUnknown: {
    code: codes.notFound,
    'en-US': 'This server does not know {path}. If you were on a page of it, reload that page.',
    'zh-CN': '服务器没有 {path} 这个接口。如果你正在浏览它的页面，请刷新后重试。',
  },
  addressUnknown: {
    code: codes.notFound,
    'en-US': 'There is nothing at the address {path}.',
    'zh-CN': '地址 {path} 没有任何内容。',
  },
  tooLarge: {
    code: codes.tooLarge,
    'en-US': 'The request is larger than {limit} bytes.',
    'zh-CN': '请求超过 {limit} 字节。',
  },
  tooManyRequests: {
    code: codes.tooManyRequests,
    'en-US': 'Too many attempts. Try again in {seconds} s.',
    'zh-CN': '尝试过于频繁，请在 {seconds} 秒后重试。',
  },
  serverError: {
    code: codes.serverError,
    'en-US': 'Something Wrong. Please try again!',
    'zh-CN': '出错了，请重试！',
  },
  busy: {
    code: codes.unavailable,
    'en-US': 'The server is busy. Try again in a moment.',
    'zh-CN': '服务器繁忙，请稍后重试。',
  },
  unavailable: { code: codes.unavailable, 'en-US': '{what} is not available right now.', 'zh-CN': '{what} 暂不可用。' },
  operatorOnly: {
    code: codes.forbidden,
    'en-US': 'Only operators can do this.',
    'zh-CN': '只有运营人员可以执行此操作。',
  },
  ownerOnly: {
    code: codes.forbidden,
    'en-US': 'Only its owner can do that.',
    'zh-CN': '只有所有者可以执行此操作。',
  },
  requestIdReused: {
    code: codes.conflict,
    'en-US': 'requestId: this key was used for a different request.',
    'zh-CN': 'requestId：这个键已用于另一个请求。',
  },
} as const satisfies Refusals
