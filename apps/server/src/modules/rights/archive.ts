/**
 * All data about an account, as files of one archive: in formats that other programs read, without what opens
 * anything (tokens, grants, passwords) and without the contents of machines and backups.
 */
import type { Locale } from '@atoll/contract/wire'
import { type ZippedFile, zipOf } from '../../platform/archives/zip.ts'
import type { Db } from '../../platform/db/index.ts'
import { getDid } from '../accounts/index.ts'
import { exportActivity } from '../audit/index.ts'
import { describeBackupFiles } from '../backups/index.ts'
import { listClusterFigures } from '../clusters/index.ts'
import { listDomains } from '../domains/index.ts'
import { listMailsOf } from '../mail/index.ts'

export interface ArchiveSources {
  db: Db
  /** The account as its owner sees it. */
  getUser(db: Db, userid: string): Promise<object>
  /** Every invoice and credit note on paper. */
  listInvoices(userid: string, locale: Locale): AsyncIterable<{ number: string; bytes: Uint8Array }>
  /** The signed statement of all movements. */
  readStatement(userid: string): Promise<string>
  /** Where backups are kept. */
  vaultUrl: string
}

const json = (name: string, value: unknown): ZippedFile => text(name, `${JSON.stringify(value, null, 2)}\n`)
const text = (name: string, content: string): ZippedFile => ({ name, bytes: Buffer.from(content) })

/** The file names are English in both languages: programs look for them. */
export async function buildArchive(
  sources: ArchiveSources,
  { userid, locale, at }: { userid: string; locale: Locale; at: Date },
): Promise<Buffer> {
  const { db } = sources
  const files: ZippedFile[] = [
    text('README.txt', readme[locale].replace('{at}', at.toISOString())),
    json('account.json', await sources.getUser(db, userid)),
    json('clusters.json', await listClusterFigures(db, userid)),
    json('domains.json', (await listDomains(db, userid)).map(domainFacts)),
    json('backups.json', await describeBackupFiles(db, { owner: userid, vaultUrl: sources.vaultUrl })),
    json('mails.json', await listMailsOf(db, userid)),
    text('audit.csv', await exportActivity(db, await getDid(db, userid))),
    text('statement.json', await sources.readStatement(userid)),
  ]
  for await (const { number, bytes } of sources.listInvoices(userid, locale))
    files.push({ name: `invoices/${number}.pdf`, bytes })
  return zipOf(files, at)
}

const domainFacts = ({ name, status, created_at }: { name: string; status: string; created_at: Date }) => ({
  domain: name,
  status,
  since: created_at.toISOString(),
})

const readme: Record<Locale, string> = {
  'en-US': `All data that is held about this account, as of {at}.

account.json     the account, its ID, email and settings
clusters.json    clusters and instances
domains.json     domains
backups.json     backups with their snapshots, and the restic command that restores each
mails.json       mails that were sent in the last 30 days; their texts are not kept
audit.csv        activity
statement.json   every movement of the balance, signed; it can be verified offline
invoices/        invoices as PDF

Not in it: the files on clusters and in backups (restore them), and secrets: tokens and passwords.
`,
  'zh-CN': `截至 {at}，有关此账号的全部数据。

account.json     账号、ID、邮箱和设置
clusters.json    集群和实例
domains.json     域名
backups.json     备份及其快照，以及恢复每个快照的 restic 命令
mails.json       最近 30 天发送的邮件；正文不保留
audit.csv        活动记录
statement.json   余额的全部变动，已签名，可离线验证
invoices/        账单 PDF

不含：集群和备份中的文件（可恢复），以及令牌、密码等机密。
`,
}
