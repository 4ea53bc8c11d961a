import { z } from 'zod'
import { defineMail } from '../mail-kind.ts'

const common = { account: z.string(), backup: z.string(), cluster: z.string(), path: z.string() }
const Params = z.discriminatedUnion('about', [
  z.object({ ...common, about: z.enum(['damage', 'drill']), reason: z.string() }),
  z.object({ ...common, about: z.enum(['shrink', 'rewrite']), percent: z.int() }),
])
type About = z.output<typeof Params>

interface Words {
  heading: string
  lines: string[]
}

function english(mail: About): Words {
  const { backup, cluster } = mail
  const frozen = 'Until you answer on its page, none of its snapshots is removed.'
  switch (mail.about) {
    case 'damage':
      return {
        heading: `The backup ${backup} is damaged`,
        lines: [
          `What is stored of ${backup}, the backup of ${cluster}, is no longer what was written. ${mail.reason}`,
          'Snapshots that need the damaged part cannot be brought back whole, so its proof no longer counts.',
          `While your files are still on ${cluster}, make a new backup beside this one.`,
        ],
      }
    case 'drill':
      return {
        heading: `The drill of the backup ${backup} failed`,
        lines: [
          `We restored the newest snapshot of ${backup}, the backup of ${cluster}, to see whether it comes back whole. ${mail.reason}`,
          'We try again tomorrow. While your files are still there, have the backup proved on its page.',
        ],
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
          `In the newest snapshot of ${backup}, the backup of ${cluster}, ${mail.percent} % of what was there is written anew.`,
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
          '依赖损坏部分的快照无法完整恢复，因此之前的验证结果已失效。',
          `趁文件仍在 ${cluster} 上，请另建一个新的备份。`,
        ],
      }
    case 'drill':
      return {
        heading: `备份 ${backup} 的演练未通过`,
        lines: [
          `我们恢复了 ${cluster} 的备份 ${backup} 的最新快照，以检查能否完整恢复。${mail.reason}`,
          '明天会再次演练。趁文件仍在，请到备份页面进行验证。',
        ],
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

/** That a backup is damaged, or changed in a way that looks like an attack or an accident. */
export const backupMail = defineMail({
  kind: 'backup',
  params: Params,
  compose: {
    'en-US': (mail, site) => ({
      ...bodyOf(english(mail), site.url + mail.path),
      reason: `Sent because this address is linked to ${mail.account}, whose backup it is.`,
    }),
    'zh-CN': (mail, site) => ({
      ...bodyOf(chinese(mail), site.url + mail.path),
      reason: `此邮箱绑定在备份所属的账号 ${mail.account} 上，因此发送本邮件。`,
    }),
  },
})

function bodyOf({ heading, lines }: Words, page: string) {
  return { subject: heading, heading, preview: lines[0] ?? '', before: [...lines, page], after: [] }
}
