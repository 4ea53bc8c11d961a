import { expect, test } from 'vitest'
import { normalPassword, passwordFault, passwordForms } from './password.ts'

const [nfc, nfd] = ['Grüße aus Köln'.normalize('NFC'), 'Grüße aus Köln'.normalize('NFD')]

test('a password has one form, however it was typed, and the forms that it may have had', () => {
  expect(nfd).not.toBe(nfc)
  expect([normalPassword(nfd), normalPassword(nfc)]).toEqual([nfc, nfc])
  expect([passwordForms(nfc), passwordForms(nfd)]).toEqual([
    [nfc, nfd],
    [nfd, nfc],
  ])
  expect(passwordForms('plain password')).toEqual(['plain password'])
  expect(normalPassword('  blanks around\u3000')).toBe('blanks around')
})

test.each([
  ['tab\tin the middle', 'control'],
  ['pasted with its end\n', 'control'],
  ['\u0085 next line in it', 'control'],
  [' '.repeat(12), 'blank'],
  ['\u3000\u00a0\u2003'.repeat(4), 'blank'],
  ['\u200b\ufeff'.repeat(6), 'blank'],
  ['ninechars', 'short'],
  ['', 'short'],

  [`a${' '.repeat(12)}`, 'short'],
  // Five letters in ten code units.
  ['üüüüü'.normalize('NFD'), 'short'],
])('%j as a new password has a fault: %s', (password, fault) => {
  expect(passwordFault(password)).toBe(fault)
})

test.each(['correct horse', '  blanks around  ', '珊瑚礁与海龟一起游泳吧'])('%j may be a new password', (password) => {
  expect(passwordFault(password)).toBeUndefined()
})
