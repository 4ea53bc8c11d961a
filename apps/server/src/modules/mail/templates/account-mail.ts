import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import { defineMail } from './mail-kind.ts'

const abouts = ['exportReady', 'closing', 'closingSoon', 'closingKept', 'closed'] as const
type About = (typeof abouts)[number]

interface Words {
  subject: string
  preview: string
  heading: string
  before: string[]
  reason: string
}

const writers: Record<Locale, Record<About, (account: string, until: string) => Words>> = {
  'en-US': {
    exportReady: (account, until) => ({
      subject: `The export of ${account} is ready`,
      preview: 'One ZIP with everything we hold about you.',
      heading: 'Your export is ready',
      before: [
        'It is one ZIP with everything we hold about you, in formats that other programs read.',
        `It can be downloaded until ${until}, only signed in.`,
      ],
      reason: `Sent because an export of the data about ${account} was asked for.`,
    }),
    closing: (account, until) => ({
      subject: `${account} closes on ${until}`,
      preview: 'You have 14 days to change your mind.',
      heading: 'Your account closes',
      before: [
        `It ends on ${until}. Cloud clusters are stopped now, and nothing more is charged.`,
        'Nothing is destroyed before. Until then you can keep the account in your profile; your clusters then start again.',
      ],
      reason: `Sent because it was asked to close ${account}.`,
    }),
    closingSoon: (account, until) => ({
      subject: `${account} ends in 3 days`,
      preview: 'Clusters, backups and domains are destroyed then.',
      heading: 'Your account ends in 3 days',
      before: [
        `On ${until} its clusters, backups and domains are destroyed and its data is erased. That cannot be undone.`,
        'Until then you can keep the account in your profile, and download an export and files of backups.',
      ],
      reason: `Sent because it was asked to close ${account}.`,
    }),
    closingKept: (account) => ({
      subject: `${account} stays`,
      preview: 'It does not close.',
      heading: 'Your account stays',
      before: ['It does not close. Clusters that its closing had stopped start again.'],
      reason: `Sent because it was asked to keep ${account}.`,
    }),
    closed: (account) => ({
      subject: `${account} has ended`,
      preview: 'Its data is being erased.',
      heading: 'Your account has ended',
      before: [
        'Its clusters, backups and domains are being destroyed, and its data is being erased, also this address.',
        'Invoices are kept, sealed, for as long as the law asks.',
      ],
      reason: `The last mail to ${account}.`,
    }),
  },
  'zh-CN': {
    exportReady: (account, until) => ({
      subject: `${account} 的数据导出已完成`,
      preview: '我们保存的全部数据，一个 ZIP。',
      heading: '数据导出已完成',
      before: ['一个 ZIP，包含我们保存的全部数据，采用通用格式。', `请在 ${until} 前登录下载。`],
      reason: `因有人申请导出 ${account} 的数据而发送。`,
    }),
    closing: (account, until) => ({
      subject: `${account} 将于 ${until} 注销`,
      preview: '14 天内可以反悔。',
      heading: '账号正在注销',
      before: [
        `账号将于 ${until} 注销。云端集群已停止，不再收费。`,
        '之前不会销毁任何内容。在此之前可在个人资料中保留账号，集群会重新启动。',
      ],
      reason: `因有人申请注销 ${account} 而发送。`,
    }),
    closingSoon: (account, until) => ({
      subject: `${account} 将在 3 天后注销`,
      preview: '届时将销毁集群、备份和域名。',
      heading: '账号将在 3 天后注销',
      before: [
        `${until} 将销毁集群、备份和域名并删除数据，此后无法撤销。`,
        '在此之前可在个人资料中保留账号，也可下载数据导出和备份中的文件。',
      ],
      reason: `因有人申请注销 ${account} 而发送。`,
    }),
    closingKept: (account) => ({
      subject: `${account} 已保留`,
      preview: '账号不会注销。',
      heading: '账号已保留',
      before: ['账号不会注销，因注销而停止的集群会重新启动。'],
      reason: `因有人申请保留 ${account} 而发送。`,
    }),
    closed: (account) => ({
      subject: `${account} 已注销`,
      preview: '正在删除数据。',
      heading: '账号已注销',
      before: ['正在销毁集群、备份和域名，并删除数据，包括这个邮箱地址。', '账单按法律要求封存。'],
      reason: `这是发给 ${account} 的最后一封邮件。`,
    }),
  },
}
const factLabels: Record<Locale, { account: string; until: Partial<Record<About, string>> }> = {
  'en-US': {
    account: 'Account',
    until: { exportReady: 'Download by', closing: 'Ends on', closingSoon: 'Ends on' },
  },
  'zh-CN': { account: '账号', until: { exportReady: '下载截止', closing: '注销时间', closingSoon: '注销时间' } },
}
const open: Record<Locale, string> = { 'en-US': 'Open the profile', 'zh-CN': '打开个人资料' }

function compose(locale: Locale) {
  return ({ about, account, until, timeZone }: { about: About; account: string; until: string; timeZone: string }) => {
    const labels = factLabels[locale]
    const label = labels.until[about]
    const end = deadlineText(new Date(until), timeZone, locale)
    return {
      ...writers[locale][about](account, end),
      facts: [{ label: labels.account, value: account }, ...(label === undefined ? [] : [{ label, value: end }])],
      action: { label: open[locale], path: '/profile' },
      after: [],
    }
  }
}

/** About the account's data and its end. */
export const accountMail = defineMail({
  kind: 'account',
  params: z.object({
    about: z.enum(abouts),
    account: z.string(),
    until: z.iso.datetime(),
    timeZone: z.string(),
  }),
  compose: { 'en-US': compose('en-US'), 'zh-CN': compose('zh-CN') },
})
