import { PasswordBox } from '@atoll/contract/agents'
import { BackupKey } from '@atoll/contract/backups'
import { compactDecrypt, exportJWK, generateKeyPair } from 'jose'
import { expect, test } from 'vitest'
import { sealPassword } from './seal-password.ts'

test('a password is sealed so that the machine alone opens it, another way each time', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const key = BackupKey.parse(await exportJWK(publicKey))
  const password = '珊瑚 Überriff "quoted" \\ 10'.normalize('NFC')
  const typed = password.normalize('NFD')
  expect(typed).not.toBe(password)
  const [one, other] = await Promise.all([sealPassword(typed, key), sealPassword(password, key)])
  expect(PasswordBox.safeParse(one).success).toBe(true)
  expect(one).not.toBe(other)
  const { plaintext, protectedHeader } = await compactDecrypt(one, privateKey)
  expect([new TextDecoder().decode(plaintext), protectedHeader.enc]).toEqual([password, 'A256GCM'])
})
