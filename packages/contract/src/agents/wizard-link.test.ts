import { expect, test } from 'vitest'
import { passwordOfFragment, wizardLink } from './wizard-link.ts'

test.each(['KXMT-9QRW-4HPZ', 'a b&c=d#e%+', 'ключ'])(
  'the wizard reads %j from the fragment of its link',
  (password) => {
    const link = new URL(wizardLink('https://reef.example/activate?x=1', password))
    expect(link.href.split('#')[0]).toBe('https://reef.example/activate?x=1')
    expect(passwordOfFragment(link.hash)).toBe(password)
  },
)

test.each(['', '#', '#other=1', '#password='])('a fragment %j carries none', (hash) => {
  expect(passwordOfFragment(hash)).toBeUndefined()
})
