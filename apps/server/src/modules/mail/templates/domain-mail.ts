import { type HttpsFault, httpsFaults, toDomainBase } from '@atoll/contract/domains'
import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import type { MailFact, MailSite } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const Iso = z.iso.datetime()
/** A deadline, and the zone that its reader reads it in, an IANA name. */
const deadline = { until: Iso, timeZone: z.string().default('UTC') }
/** Certificates: some of their names and how many there are besides, and whose fault it is; null: nobody's. */
const certificates = {
  domain: z.string(),
  names: z.array(z.string()).min(1),
  more: z.int().min(0),
  fault: z.enum(httpsFaults).nullable(),
}
const Params = z.discriminatedUnion('event', [
  /** An ID is offered, with what takes it. */
  z.object({ event: z.literal('invited'), domain: z.string(), name: z.string(), password: z.string(), until: Iso }),
  /** The domain was removed, and the ID under it went with it. */
  z.object({ event: z.literal('nameLost'), domain: z.string(), name: z.string() }),
  /** The domain's owner ended the ID. */
  z.object({ event: z.literal('memberRemoved'), domain: z.string(), name: z.string() }),
  z.object({ event: z.literal('delegationLost'), domain: z.string(), since: Iso }),
  z.object({ event: z.literal('delegationBack'), domain: z.string() }),
  /** Somebody else has proven it. */
  z.object({ event: z.literal('contested'), domain: z.string(), ...deadline }),
  z.object({ event: z.literal('contestOver'), domain: z.string() }),
  z.object({ event: z.literal('domainReleased'), domain: z.string() }),
  z.object({ event: z.literal('offered'), domain: z.string(), from: z.string(), ...deadline }),
  z.object({ event: z.literal('handedOver'), domain: z.string(), to: z.string() }),
  /** Certificates could not be got, or renewed, for three days. */
  z.object({ event: z.literal('httpsFailing'), ...certificates, since: Iso }),
  /** Certificates that were not renewed, with a sixth of their life left. */
  z.object({ event: z.literal('httpsEnding'), ...certificates, ...deadline }),
])
type DomainNews = z.output<typeof Params>

interface Words {
  heading: string
  before: string[]
  figure?: string
  after?: string[]
}
type Compose = {
  [Event in DomainNews['event']]: (news: Extract<DomainNews, { event: Event }>, site: MailSite) => Words
}

/** Every reader understands the same day and hour of it. */
const moment = (iso: string) => `${iso.slice(0, 16).replace('T', ' ')} UTC`

const englishFault: Record<HttpsFault, string> = {
  owner: 'A DNS record of the domain is in the way. The console shows what to change.',
  nameServer: 'Our name servers are at fault, not your records. You do not need to do anything.',
  authority: 'The certificate authority is at fault, not your records. We keep trying.',
}

const chineseFault: Record<HttpsFault, string> = {
  owner: '原因是该域名的 DNS 记录，控制台中会显示需要修改的内容。',
  nameServer: '原因在于我们的域名服务器，与你的记录无关，无需处理。',
  authority: '原因在于证书颁发机构，与你的记录无关。我们会继续尝试。',
}

const english: Compose = {
  invited: ({ domain, name, password, until }, { product }) => ({
    heading: `You are invited to ${domain}`,
    before: [`${name} is kept for you at ${product}. Open your wallet, choose “Join an organization”, and type:`],
    figure: password,
    after: [
      `The domain is ${domain} and your name ${name}. The password works once, until ${moment(until)}.`,
      'If you do not know who invites you, ignore this mail.',
    ],
  }),
  nameLost: ({ domain, name }) => ({
    heading: `${name} no longer exists`,
    before: [
      `The domain ${domain} was removed here, and your ID with it. Your clusters keep running under their other address.`,
      'You can take another ID in your wallet. Nobody else can take this one for 90 days.',
    ],
  }),
  memberRemoved: ({ domain, name }) => ({
    heading: `${name} no longer exists`,
    before: [
      `The owner of ${domain} removed you from it, and your ID ended. Your clusters keep running under their other address.`,
      'You can take another ID in your wallet.',
    ],
  }),
  delegationLost: ({ domain, since }) => ({
    heading: `${domain} no longer points here`,
    before: [
      `Since ${moment(since)} the records that point ${domain} here are missing, so its addresses do not work.`,
      'Open the domain in the console: it shows which records are missing. Nothing is deleted, and everything continues automatically once the records are back.',
    ],
  }),
  delegationBack: ({ domain }) => ({
    heading: `${domain} points here again`,
    before: ['Its addresses work again. You do not need to do anything.'],
  }),
  contested: ({ domain, until, timeZone }) => ({
    heading: `Somebody else has proved ${domain}`,
    before: [
      `Another account showed a TXT record for ${domain}. If the domain is still yours, add your own TXT record again by ${deadlineText(new Date(until), timeZone, 'en-US')}. The console shows it on the page of the domain.`,
      'If it is not seen by then, the domain is released to them, and the IDs under it end. Until then everything works as before.',
    ],
  }),
  contestOver: ({ domain }) => ({
    heading: `${domain} stays yours`,
    before: ['Nobody else can take it now. You can delete the TXT record.'],
  }),
  domainReleased: ({ domain }) => ({
    heading: `${domain} is no longer yours`,
    before: [
      `Another account verified ${domain}, and your TXT record was not seen in seven days. The domain is released, and the IDs under it ended.`,
      'Your clusters keep running under their other address.',
    ],
  }),
  offered: ({ domain, from, until, timeZone }) => ({
    heading: `${from} offers you ${domain}`,
    before: [
      `The owner of ${domain} decides who may join, and can give it up. Open Domains in the console by ${deadlineText(new Date(until), timeZone, 'en-US')} to accept or decline.`,
      'If you do nothing, nothing changes.',
    ],
  }),
  handedOver: ({ domain, to }) => ({
    heading: `${domain} belongs to ${to} now`,
    before: ['They accepted your offer. You keep your ID under the domain; your credential for it was revoked.'],
  }),
  httpsFailing: ({ domain, names, more, since, fault }) => ({
    heading: `No new certificate for ${domain} in three days`,
    before: [
      `Since ${moment(since)} every attempt to get a certificate has failed for ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      ...(fault ? [englishFault[fault]] : []),
      'Open the domain in the console to see the reason, and to try again.',
    ],
  }),
  httpsEnding: ({ domain, names, more, until, timeZone, fault }) => ({
    heading: `A certificate of ${domain} ends soon`,
    before: [
      `It ends on ${deadlineText(new Date(until), timeZone, 'en-US')} and could not be renewed. If that does not change, browsers will warn visitors of ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      ...(fault ? [englishFault[fault]] : []),
      'Open the domain in the console to see the reason, and to try again.',
    ],
  }),
}

const chinese: Compose = {
  invited: ({ domain, name, password, until }, { product }) => ({
    heading: `邀请你加入 ${domain}`,
    before: [`${product} 已为你保留 ${name}。请打开钱包，选择“加入组织”，并输入：`],
    figure: password,
    after: [
      `域名为 ${domain}，你的名称为 ${name}。密码只能使用一次，有效至 ${moment(until)}。`,
      '如果你不认识邀请你的人，请忽略此邮件。',
    ],
  }),
  nameLost: ({ domain, name }) => ({
    heading: `${name} 已不存在`,
    before: [
      `域名 ${domain} 已从这里移除，你的 ID 也随之失效。你的集群继续运行，仍可通过原有的另一个地址访问。`,
      '你可以在钱包中领取其他 ID。90 天内，其他人不能领取这个 ID。',
    ],
  }),
  memberRemoved: ({ domain, name }) => ({
    heading: `${name} 已不存在`,
    before: [
      `${domain} 的所有者已将你移出，你的 ID 随之失效。你的集群继续运行，仍可通过原有的另一个地址访问。`,
      '你可以在钱包中领取其他 ID。',
    ],
  }),
  delegationLost: ({ domain, since }) => ({
    heading: `${domain} 不再指向这里`,
    before: [
      `自 ${moment(since)} 起，将 ${domain} 指向这里的记录缺失，其下的地址无法访问。`,
      '请在控制台打开该域名，查看缺少哪些记录。我们不会删除任何内容，记录恢复后一切自动继续。',
    ],
  }),
  delegationBack: ({ domain }) => ({
    heading: `${domain} 已重新指向这里`,
    before: ['其下的地址已恢复访问，无需再处理。'],
  }),
  contested: ({ domain, until, timeZone }) => ({
    heading: `其他人验证了 ${domain}`,
    before: [
      `另一个账号已为 ${domain} 添加 TXT 记录。如果域名仍归你所有，请在 ${deadlineText(new Date(until), timeZone, 'zh-CN')} 前重新添加你的 TXT 记录，记录内容见控制台中的该域名。`,
      '如届时仍未检测到，域名将释放给对方，其下的 ID 随之失效。在此之前一切照常。',
    ],
  }),
  contestOver: ({ domain }) => ({
    heading: `${domain} 仍归你所有`,
    before: ['目前没有其他人能取得该域名，你可以删除 TXT 记录。'],
  }),
  domainReleased: ({ domain }) => ({
    heading: `${domain} 已不再归你所有`,
    before: [
      `另一个账号验证了 ${domain}，而七天内未检测到你的 TXT 记录。域名已释放，其下的 ID 已失效。`,
      '你的集群继续运行，仍可通过原有的另一个地址访问。',
    ],
  }),
  offered: ({ domain, from, until, timeZone }) => ({
    heading: `${from} 想把 ${domain} 移交给你`,
    before: [
      `${domain} 的所有者可决定谁能加入，也可放弃该域名。请在 ${deadlineText(new Date(until), timeZone, 'zh-CN')} 前打开控制台的域名页面，接受或拒绝。`,
      '如果不处理，一切保持不变。',
    ],
  }),
  handedOver: ({ domain, to }) => ({
    heading: `${domain} 现归 ${to} 所有`,
    before: ['对方已接受移交。你保留该域名下的 ID，你持有的域名凭证已吊销。'],
  }),
  httpsFailing: ({ domain, names, more, since, fault }) => ({
    heading: `${domain} 已三天未能取得新证书`,
    before: [
      `自 ${moment(since)} 起，${names.join('、')}${more > 0 ? ` 及另外 ${more} 个名称` : ''} 的证书一直申请失败。`,
      ...(fault ? [chineseFault[fault]] : []),
      '请在控制台打开该域名，查看原因并重试。',
    ],
  }),
  httpsEnding: ({ domain, names, more, until, timeZone, fault }) => ({
    heading: `${domain} 的证书即将到期`,
    before: [
      `证书将于 ${deadlineText(new Date(until), timeZone, 'zh-CN')} 到期，未能续期。如果问题持续，浏览器会向 ${names.join('、')}${more > 0 ? ` 及另外 ${more} 个名称` : ''} 的访客发出警告。`,
      ...(fault ? [chineseFault[fault]] : []),
      '请在控制台打开该域名，查看原因并重试。',
    ],
  }),
}

/** Events of a custom domain, to its owner and to those who have an ID under it. */
export const domainMail = defineMail({
  kind: 'domain',
  params: Params,
  compose: {
    'en-US': (news, site) => ({
      ...bodyOf(english, news, site),
      facts: factsOf(news, 'en-US'),
      action: actionOf(news, 'Open the domain', 'Open the console'),
      reason:
        news.event === 'invited'
          ? `Sent because an administrator of ${news.domain} entered this address.`
          : `Sent because this address is linked to an account with an ID under ${news.domain}.`,
    }),
    'zh-CN': (news, site) => ({
      ...bodyOf(chinese, news, site),
      facts: factsOf(news, 'zh-CN'),
      action: actionOf(news, '打开域名', '打开控制台'),
      reason:
        news.event === 'invited'
          ? `${news.domain} 的管理员填写了此邮箱，因此发送本邮件。`
          : `此邮箱所绑定的账号拥有 ${news.domain} 下的 ID，因此发送本邮件。`,
    }),
  },
})

const factLabels = {
  'en-US': {
    domain: 'Domain',
    id: 'ID',
    from: 'Offered by',
    to: 'New owner',
    names: 'Names',
    since: 'Since',
    until: 'Until',
  },
  'zh-CN': {
    domain: '域名',
    id: 'ID',
    from: '移交方',
    to: '新所有者',
    names: '名称',
    since: '开始时间',
    until: '截止时间',
  },
} as const satisfies Record<Locale, object>

/** Those that the news has: about whom or what it is, since when and until when. */
function factsOf(news: DomainNews, locale: Locale): MailFact[] {
  const labels = factLabels[locale]
  const zone = 'timeZone' in news ? news.timeZone : 'UTC'
  const time = (iso: string) => deadlineText(new Date(iso), zone, locale)
  return [
    { label: labels.domain, value: news.domain },
    ...('name' in news ? [{ label: labels.id, value: news.name }] : []),
    ...('from' in news ? [{ label: labels.from, value: news.from }] : []),
    ...('to' in news ? [{ label: labels.to, value: news.to }] : []),
    ...('names' in news ? [{ label: labels.names, value: namesText(news.names, news.more) }] : []),
    ...('since' in news ? [{ label: labels.since, value: time(news.since) }] : []),
    ...('until' in news ? [{ label: labels.until, value: time(news.until) }] : []),
  ]
}

function namesText(names: readonly string[], more: number): string {
  return [...names, ...(more > 0 ? [`+${more}`] : [])].join(', ')
}

function bodyOf(texts: Compose, news: DomainNews, site: MailSite) {
  // The text of an event takes the news of that event.
  const {
    heading,
    before,
    figure,
    after = [],
  } = (texts[news.event] as (one: DomainNews, at: MailSite) => Words)(news, site)
  return { subject: heading, heading, preview: before[0] ?? '', before, after, ...(figure !== undefined && { figure }) }
}

/** A domain that is no longer the reader's has no page of its own. */
function actionOf(news: DomainNews, domain: string, console: string) {
  const isTheirs = !(['invited', 'nameLost', 'memberRemoved', 'domainReleased', 'offered', 'handedOver'] as const).some(
    (event) => event === news.event,
  )
  if (isTheirs) return { label: domain, path: `/domain/${toDomainBase(news.domain)}` }
  return { label: console, path: news.event === 'offered' ? '/domains' : '/' }
}
