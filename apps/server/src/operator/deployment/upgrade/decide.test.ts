import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { decideWayBack, describeMaker, estimateCopySeconds, findFailure, judgeFile, listNeedless } from './decide.ts'

const asked = { isBackedUp: true, isCopied: false, isOneWay: false }

it('goes on where the version in use may run afterwards, and else only with a copy or on a backup alone', () => {
  const open = [{ name: '0600-a.sql', oldestProgram: '1.4.0' }]
  const closed = [...open, { name: '0601-b.sql' }]
  const tooNew = [{ name: '0602-c.sql', oldestProgram: '1.5.0' }]
  expect(decideWayBack('1.4.2', { pending: [] }, asked)).toEqual({ wayBack: 'program' })
  expect(decideWayBack('1.4.2', { pending: open }, asked)).toEqual({ wayBack: 'program' })
  for (const pending of [closed, tooNew]) {
    const refused = decideWayBack('1.4.2', { pending }, asked)
    expect(refused).toEqual({ refusal: expect.stringMatching(/1\.4\.2 cannot run after 1 .*060[12].*--copy/) })
    expect(decideWayBack('1.4.2', { pending }, { ...asked, isCopied: true })).toEqual({ wayBack: 'copy' })
    expect(decideWayBack('1.4.2', { pending }, { ...asked, isOneWay: true })).toEqual({ wayBack: 'none' })
    expect(decideWayBack('1.4.2', { pending }, { ...asked, isOneWay: true, isBackedUp: false })).toEqual(refused)
  }
})

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const pem = (key: typeof publicKey) => key.export({ type: 'spki', format: 'pem' }).toString()
const sha256 = createHash('sha256').update('the package').digest('hex')
const sums = `${sha256}  atoll_1.5.0_amd64.deb\n${'0'.repeat(64)}  CHANGELOG.md\n`
const file = {
  publicKey: pem(publicKey),
  sums,
  signature: sign(null, Buffer.from(sums), privateKey),
  name: 'atoll_1.5.0_amd64.deb',
  sha256,
}

it('takes the file that the maker of the installed version signed, and says where nothing can be checked', () => {
  expect(judgeFile(file)).toEqual({ name: 'signed' })
  expect(judgeFile({ ...file, publicKey: undefined })).toMatchObject({
    name: 'unknown',
    why: expect.stringContaining('NOT VERIFIED'),
  })
})

it.each([
  ['no sums', { sums: undefined }, /NOT SIGNED/],
  ['no signature', { signature: undefined }, /NOT SIGNED/],
  ['sums that were changed', { sums: sums.replace('CHANGELOG', 'changelog') }, /not signed with the key/],
  ['the key of somebody else', { publicKey: pem(generateKeyPairSync('ed25519').publicKey) }, /not signed with the key/],
  ['another file', { sha256: createHash('sha256').update('another').digest('hex') }, /not the file/],
  ['the sum of another file', { sha256: '0'.repeat(64) }, /not the file/],
  ['a part of a name', { name: 'atoll_1.5.0_amd64' }, /not the file/],
])('refuses %s', (_, change, why) => {
  expect(judgeFile({ ...file, ...change })).toEqual({ name: 'refused', why: expect.stringMatching(why) })
})

it('takes three looks in a row at what is not ready for a failure, and fewer for a hiccup', () => {
  expect(findFailure([])).toBeUndefined()
  expect(findFailure(['no', 'no'])).toBeUndefined()
  expect(findFailure(['no', 'no', undefined, 'no', 'no'])).toBeUndefined()
  expect(findFailure([undefined, 'no', 'no', 'api answers 503'])).toBe('api answers 503')
})

it('keeps the version in use and the one before', () => {
  expect(listNeedless(['1.2.0', '1.3.0', '1.4.0', '1.5.0'], ['1.4.0', '1.5.0'])).toEqual(['1.2.0', '1.3.0'])
  expect(listNeedless(['1.5.0'], [undefined, '1.5.0'])).toEqual([])
  expect(estimateCopySeconds(1.1e9)).toBe(5)
})

it('says of a version that apt laid out what is known of its maker', () => {
  expect(describeMaker('key', undefined)).toContain('NOT SIGNED')
  expect(describeMaker(undefined, 'key')).toContain('the version in use is not signed')
  expect(describeMaker('key', 'another')).toContain('another key')
  expect(describeMaker('key', 'key')).toContain('name the FILE')
})
