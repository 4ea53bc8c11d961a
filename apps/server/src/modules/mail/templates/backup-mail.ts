import type { Locale } from '@atoll/contract/wire'
import { z } from 'zod'
import { deadlineText } from './deadline-text.ts'
import type { MailFact } from './mail-frame.ts'
import { defineMail } from './mail-kind.ts'

const common = {
  account: z.string(),
  backup: z.string(),
  cluster: z.string(),
  path: z.string(),
  /** When it happened, and what comes before and after it. Mails from before these were noted have no such lines. */
  times: z
    .object({
      at: z.iso.datetime(),
      /** The newest snapshot that is kept; null: there is none. */
      lastGood: z.iso.datetime().nullable(),
      /** The next run; null: the plan is paused. */
      next: z.iso.datetime().nullable(),
      /** Of the reader, an IANA name. */
      timeZone: z.string(),
    })
    .optional(),
}
const Params = z.discriminatedUnion('about', [
  z.object({ ...common, about: z.enum(['damage', 'drill', 'run', 'prune', 'check']), reason: z.string() }),
  z.object({ ...common, about: z.literal('over') }),
  z.object({ ...common, about: z.enum(['shrink', 'rewrite']), percent: z.int() }),
])
type About = z.output<typeof Params>

interface Words {
  heading: string
  lines: string[]
}

function english(mail: About): Words {
  const { backup, cluster } = mail
  const frozen = 'None of its snapshots is deleted until you answer on its page.'
  switch (mail.about) {
    case 'damage':
      return {
        heading: `The backup ${backup} is damaged`,
        lines: [
          `The stored data of ${backup}, the backup of ${cluster}, has changed since it was written. ${mail.reason}`,
          'Snapshots that need the damaged part cannot be fully restored, so its verification no longer counts.',
          `While your files are still on ${cluster}, create a second backup.`,
        ],
      }
    case 'drill':
      return {
        heading: `The drill of the backup ${backup} failed`,
        lines: [
          `We restored the newest snapshot of ${backup}, the backup of ${cluster}, to check whether it can be fully restored. ${mail.reason}`,
          'We try again tomorrow. While your files are still there, verify the backup on its page.',
        ],
      }
    case 'run':
      return {
        heading: `A run of the backup ${backup} failed`,
        lines: [
          `${cluster} could not be backed up by ${backup}. ${mail.reason}`,
          'The next run tries again. We will email you when it works, or when it fails for another reason.',
        ],
      }
    case 'prune':
      return {
        heading: `The backup ${backup} could not be cleaned up`,
        lines: [
          `${cluster} could not remove data from ${backup} that no snapshot needs. ${mail.reason}`,
          'It tries again every hour. Until it works, deleted snapshots still take room. We will email you when it does.',
        ],
      }
    case 'check':
      return {
        heading: `The backup ${backup} could not be verified`,
        lines: [
          `${cluster} could not read all data of ${backup}, so it is unknown whether it is intact. ${mail.reason}`,
          'It tries again every hour. We will email you when it works.',
        ],
      }
    case 'over':
      return {
        heading: `The backup ${backup} works again`,
        lines: [`The problem with ${backup}, the backup of ${cluster}, is over.`],
      }
    case 'shrink':
      return {
        heading: `${mail.percent} % less in the backup ${backup}`,
        lines: [
          `The newest snapshot of ${backup}, the backup of ${cluster}, holds ${mail.percent} % less than those before it.`,
          `If that was not you, files may have been lost. ${frozen}`,
        ],
      }
    case 'rewrite':
      return {
        heading: `${mail.percent} % of the backup ${backup} is new`,
        lines: [
          `In the newest snapshot of ${backup}, the backup of ${cluster}, ${mail.percent} % of the data was rewritten.`,
          `If that was not you, somebody may have encrypted your files. ${frozen}`,
        ],
      }
  }
}

function chinese(mail: About): Words {
  const { backup, cluster } = mail
  const frozen = '在你到备份页面处理之前，不会删除它的任何快照。'
  switch (mail.about) {
    case 'damage':
      return {
        heading: `备份 ${backup} 已损坏`,
        lines: [
          `${cluster} 的备份 ${backup} 中存储的内容与写入时不一致。${mail.reason}`,
          '依赖损坏部分的快照无法完整恢复，因此之前的校验结果已失效。',
          `趁文件仍在 ${cluster} 上，请另建一个新的备份。`,
        ],
      }
    case 'drill':
      return {
        heading: `备份 ${backup} 的演练未通过`,
        lines: [
          `我们恢复了 ${cluster} 的备份 ${backup} 的最新快照，以检查能否完整恢复。${mail.reason}`,
          '明天会再次演练。趁文件仍在，请到备份页面进行校验。',
        ],
      }
    case 'run':
      return {
        heading: `备份 ${backup} 的一次运行失败`,
        lines: [
          `${backup} 未能备份 ${cluster}。${mail.reason}`,
          '下一次运行会重试。恢复正常，或因其他原因失败时，我们会再次通知你。',
        ],
      }
    case 'prune':
      return {
        heading: `备份 ${backup} 未能清理`,
        lines: [
          `${cluster} 未能从 ${backup} 中清理快照不再需要的内容。${mail.reason}`,
          '每小时会重试一次。在成功之前，已移除的快照仍会占用空间。恢复正常时我们会通知你。',
        ],
      }
    case 'check':
      return {
        heading: `备份 ${backup} 未能校验`,
        lines: [
          `${cluster} 未能读取 ${backup} 中存储的内容，因此无法确认是否完好。${mail.reason}`,
          '每小时会重试一次。恢复正常时我们会通知你。',
        ],
      }
    case 'over':
      return {
        heading: `备份 ${backup} 已恢复正常`,
        lines: [`${cluster} 的备份 ${backup} 之前的问题已经解决。`],
      }
    case 'shrink':
      return {
        heading: `备份 ${backup} 的内容少了 ${mail.percent}%`,
        lines: [
          `${cluster} 的备份 ${backup} 的最新快照比之前少了 ${mail.percent}%。`,
          `如果这不是你的操作，文件可能已经丢失。${frozen}`,
        ],
      }
    case 'rewrite':
      return {
        heading: `备份 ${backup} 有 ${mail.percent}% 的内容被改写`,
        lines: [
          `在 ${cluster} 的备份 ${backup} 的最新快照中，原有内容的 ${mail.percent}% 被重新写入。`,
          `如果这不是你的操作，文件可能已被他人加密。${frozen}`,
        ],
      }
  }
}

/** That a backup is damaged, fails or works again, or changed in a way that looks like an attack or an accident. */
export const backupMail = defineMail({
  kind: 'backup',
  params: Params,
  compose: {
    'en-US': (mail) => ({
      ...bodyOf(english(mail), factsOf(mail, 'en-US'), { label: 'Open the backup', path: mail.path }),
      reason: `Sent because this address is linked to ${mail.account}, whose backup it is.`,
    }),
    'zh-CN': (mail) => ({
      ...bodyOf(chinese(mail), factsOf(mail, 'zh-CN'), { label: '打开备份', path: mail.path }),
      reason: `此邮箱绑定在备份所属的账号 ${mail.account} 上，因此发送本邮件。`,
    }),
  },
})

const factLabels = {
  'en-US': { at: 'When', lastGood: 'Last good one', next: 'Next run' },
  'zh-CN': { at: '时间', lastGood: '最近的快照', next: '下次备份' },
} as const satisfies Record<Locale, object>

function factsOf({ times }: About, locale: Locale): MailFact[] {
  if (!times) return []
  const labels = factLabels[locale]
  return (['at', 'lastGood', 'next'] as const).flatMap((key) => {
    const at = times[key]
    return at === null ? [] : [{ label: labels[key], value: deadlineText(new Date(at), times.timeZone, locale) }]
  })
}

function bodyOf({ heading, lines }: Words, facts: MailFact[], action: { label: string; path: string }) {
  return { subject: heading, heading, preview: lines[0] ?? '', before: lines, facts, action, after: [] }
}
