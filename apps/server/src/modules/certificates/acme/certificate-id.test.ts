import { expect, test } from 'vitest'
import { issueByAuthority } from '../testing/issued-by-authority.ts'
import { certificateId } from './certificate-id.ts'

test('a certificate has the id of the example in RFC 9773, 4.1', () => {
  expect(certificateId(issueByAuthority())).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
})

test('one that names no authority key has none', () => {
  expect(certificateId(issueByAuthority({ serial: '7' }))).toBeUndefined()
})
