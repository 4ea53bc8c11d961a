/**
 * The passwords of backups on this machine: its key pair, for which browsers seal them, and those that opened a
 * repository, so that schedules run unattended. Both in the agent's home, for this user only, in no backup.
 *   backup/key.json         the private key, P-256, as a JWK
 *   backup/passwords.json   by the backup's id
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { BackupKey } from '@atoll/contract/agents'
import { BackupId } from '@atoll/contract/backups'
import { z } from 'zod'
import { hasErrorCode, writeFileAtomic } from '../../kernel/atomic-file.ts'
import { readJsonFile } from '../../kernel/home.ts'
import { BackupProblem } from './restic-failure.ts'

const PrivateKey = BackupKey.extend({ d: z.string() })
const Passwords = z.record(BackupId, z.string())

export interface BackupKeys {
  publicKey: BackupKey
  /** The password in `box`, or else the one kept for the backup; throws `BackupProblem`. */
  find(backupId: string, box: string | undefined): Promise<string>
  /** The text that a browser encrypted for this machine; throws `BackupProblem`. */
  open(box: string): Promise<string>
  /** The kept password of the backup, sealed for the key of another machine; throws `BackupProblem`. */
  reseal(backupId: string, to: BackupKey): Promise<string>
  /** It opened the repository: it will do so again. */
  keep(backupId: string, password: string): Promise<void>
}

export async function openBackupKeys(folder: string): Promise<BackupKeys> {
  const [keyFile, passwordFile] = [join(folder, 'key.json'), join(folder, 'passwords.json')]
  const privateKey = (await readJsonFile(keyFile, PrivateKey)) ?? (await makeKey(keyFile))
  const publicKey = BackupKey.parse(createPublicKey({ key: privateKey, format: 'jwk' }).export({ format: 'jwk' }))
  const readAll = async () => (await readJsonFile(passwordFile, Passwords)) ?? {}

  async function find(backupId: string, box: string | undefined): Promise<string> {
    const password = box === undefined ? (await readAll())[backupId] : await openBox(box, privateKey)
    if (password === undefined) throw new BackupProblem('no_password', 'No password of this backup is kept here.')
    return password
  }

  return {
    publicKey,
    find,
    async open(box) {
      try {
        return await openBox(box, privateKey)
      } catch {
        // No password is missing: asking for one would not help.
        throw new BackupProblem('failed', 'The box was encrypted for another machine, or was changed on its way.')
      }
    },
    reseal: async (backupId, to) => await sealFor(to, await find(backupId, undefined)),
    async keep(backupId, password) {
      const all = await readAll()
      if (all[backupId] === password) return
      await writeFileAtomic(passwordFile, JSON.stringify({ ...all, [backupId]: password }))
    },
  }
}

async function makeKey(path: string): Promise<z.infer<typeof PrivateKey>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = PrivateKey.parse(privateKey.export({ format: 'jwk' }))
  // A full disk must not keep the agent from starting: memory stands for it, and the next start makes another one.
  await writeFileAtomic(path, JSON.stringify(key)).catch(unlessFull)
  return key
}

function unlessFull(error: unknown): void {
  if (!hasErrorCode(error, 'ENOSPC', 'EDQUOT', 'ENOENT')) throw error
}

/** As browsers encrypt it. */
export async function sealFor(key: BackupKey, content: string | Buffer): Promise<string> {
  const { CompactEncrypt, importJWK } = await import('jose')
  return await new CompactEncrypt(Buffer.from(content))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM' })
    .encrypt(await importJWK({ ...key }, 'ECDH-ES'))
}

async function openBox(box: string, privateKey: z.infer<typeof PrivateKey>): Promise<string> {
  // Only a machine with backups needs it: an agent's start stays quick.
  const { compactDecrypt } = await import('jose')
  const algorithms = { keyManagementAlgorithms: ['ECDH-ES'], contentEncryptionAlgorithms: ['A256GCM'] }
  const key = createPrivateKey({ key: privateKey, format: 'jwk' })
  try {
    const { plaintext } = await compactDecrypt(box, key, algorithms)
    return new TextDecoder('utf-8', { fatal: true }).decode(plaintext)
  } catch {
    // Said without the library's words, which could hold parts of it.
    throw new BackupProblem('no_password', 'The password was encrypted for another machine, or was changed on its way.')
  }
}
