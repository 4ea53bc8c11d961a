import type { Locale } from '@atoll/contract/wire'

interface OutboxTexts {
  title: string
  lead: string
  empty: string
  to: string
  text: string
  html: string
  download: string
}

/** Texts of the `/outbox` page, which the server writes itself. */
export const outboxTexts: Record<Locale, OutboxTexts> = {
  'en-US': {
    title: 'Outbox',
    lead: 'No mail server is set up, so mails are kept here. This page opens only in a browser on this machine.',
    empty: 'No mail has been written yet.',
    to: 'To',
    text: 'Text',
    html: 'Formatted',
    download: 'Download .eml',
  },
  'zh-CN': {
    title: '发件箱',
    lead: '尚未配置邮件服务器，邮件保存在这里。只有本机的浏览器能打开此页面。',
    empty: '还没有任何邮件。',
    to: '收件人',
    text: '纯文本',
    html: '排版效果',
    download: '下载 .eml',
  },
}
