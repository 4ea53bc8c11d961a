/**
 * All data about an account, as files of one archive: in formats that other programs read, without what opens
 * anything (tokens, grants, passwords) and without the contents of machines and backups.
 */
import type { Locale } from '@atoll/contract/wire'
import { documentTexts } from '@atoll/texts/documents'
import { fillText } from '@atoll/texts/fill-text'
import { type ZippedFile, zipOf } from '../../platform/archives/zip.ts'
import type { Db } from '../../platform/db/index.ts'
import { getDid } from '../accounts/index.ts'
import { exportActivity } from '../audit/index.ts'
import { describeBackupFiles } from '../backups/index.ts'
import { listClusterFigures } from '../clusters/index.ts'
import { listDomains, listOwnRecords } from '../domains/index.ts'
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
    text('README.txt', fillText(documentTexts[locale].archive.readme, { at: at.toISOString() })),
    json('account.json', await sources.getUser(db, userid)),
    json('clusters.json', await listClusterFigures(db, userid)),
    json('domains.json', await listDomainFacts(db, userid)),
    json('backups.json', await describeBackupFiles(db, { owner: userid, vaultUrl: sources.vaultUrl })),
    json('mails.json', await listMailsOf(db, userid)),
    text('audit.csv', await exportActivity(db, await getDid(db, userid))),
    text('statement.json', await sources.readStatement(userid)),
  ]
  for await (const { number, bytes } of sources.listInvoices(userid, locale))
    files.push({ name: `invoices/${number}.pdf`, bytes })
  return zipOf(files, at)
}

async function listDomainFacts(db: Db, userid: string): Promise<object[]> {
  const facts: object[] = []
  for (const { number, name, status, created_at } of await listDomains(db, userid))
    facts.push({ domain: name, status, since: created_at.toISOString(), records: await listOwnRecords(db, number) })
  return facts
}
