import { expect, it } from 'vitest'
import { memoryStorage } from '../keys/memory-storage.fixture.ts'
import { countSignatures, forgetSignatures, listSignatures, recordSignature } from './signature-log.ts'

const entry = { at: 1, kind: 'signedIn', host: 'console.atoll.example', did: 'did:key:zA' } as const

it('counts what was signed for a host, not what was declined or signed elsewhere', () => {
  const storage = memoryStorage()
  recordSignature(storage, entry)
  recordSignature(storage, { ...entry, at: 2 })
  recordSignature(storage, { ...entry, kind: 'declinedSignIn' })
  recordSignature(storage, { ...entry, host: 'console-at0ll.example' })
  expect(countSignatures(storage, entry.host, 'signedIn')).toBe(2)
  expect(listSignatures(storage)).toHaveLength(4)
})

it('starts empty when the stored value is not a log, and stays bounded', () => {
  const storage = memoryStorage()
  storage.setItem('atoll_wallet_signatures', '{"at":1}')
  expect(listSignatures(storage)).toEqual([])
  for (let at = 0; at < 310; at += 1) recordSignature(storage, { ...entry, at })
  expect(listSignatures(storage)).toHaveLength(300)
  expect(listSignatures(storage)[0]?.at).toBe(309)
})

it('forgets a deleted identity', () => {
  const storage = memoryStorage()
  recordSignature(storage, entry)
  recordSignature(storage, { ...entry, did: 'did:key:zB' })
  forgetSignatures(storage, entry.did)
  expect(listSignatures(storage).map(({ did }) => did)).toEqual(['did:key:zB'])
})
