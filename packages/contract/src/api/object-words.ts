/** What there may be none of, as sentences name it; by the word that code says it with. */
export const objectWords = {
  account: { 'en-US': 'account', 'zh-CN': '账号' },
  session: { 'en-US': 'session', 'zh-CN': '登录会话' },
  picture: { 'en-US': 'picture', 'zh-CN': '图片' },
  cluster: { 'en-US': 'cluster', 'zh-CN': '集群' },
  instance: { 'en-US': 'instance', 'zh-CN': '实例' },
  operation: { 'en-US': 'operation', 'zh-CN': '操作' },
} as const
