/**
 * The default driver: mails become `.eml` files, which any mail program opens. A file appears whole, is readable by
 * the server's user alone, and is named by when the mail was written and its id: delivering twice leaves one file.
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import MailComposer from 'nodemailer/lib/mail-composer'
import { composedOf, type MailDriver, type OutgoingMail } from '../mail-driver.ts'

/** Mails beyond this many are removed, the oldest first. */
const mostFiles = 500
const fileName = /^\d{8}T\d{6}Z-(ml_[a-z0-9]{8,40})\.eml$/

export interface Outbox extends MailDriver {
  /** Names of the files, newest first. */
  list(): Promise<string[]>
  /** The bytes of a file from `list`; undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>
}

export function openOutbox({ folder, from }: { folder: string; from: string }): Outbox {
  async function list(): Promise<string[]> {
    try {
      const names = await readdir(folder)
      return names.filter((name) => fileName.test(name)).sort((a, b) => (a < b ? 1 : -1))
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }
  return {
    list,
    async deliver(mail) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const name = nameOf(mail)
      const draft = join(folder, `.${name}.${process.pid}`)
      await writeFile(draft, await compose(mail, from), { mode: 0o600, flush: true })
      await rename(draft, join(folder, name))
      for (const old of (await list()).slice(mostFiles)) await rm(join(folder, old), { force: true })
    },
    async read(name) {
      if (!fileName.test(name)) return undefined
      try {
        return await readFile(join(folder, name))
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    close() {},
  }
}

/** Removes the mails to or about `address`, which is erased. */
export async function forgetOutbox(folder: string, address: string): Promise<void> {
  const outbox = openOutbox({ folder, from: '' })
  for (const name of await outbox.list())
    if ((await outbox.read(name))?.includes(address)) await rm(join(folder, name), { force: true })
}

function compose(mail: OutgoingMail, from: string): Promise<Buffer> {
  return new MailComposer(composedOf(mail, from)).compile().build()
}

function nameOf({ date, messageId }: OutgoingMail): string {
  const stamp = `${date.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
  return `${stamp}-${messageId.split('@')[0]}.eml`
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
