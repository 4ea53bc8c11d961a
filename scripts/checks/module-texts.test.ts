import { expect, test } from 'vitest'
import { compareKeys } from './module-texts.ts'

test('names keys without a text, and texts without a key', () => {
  expect(compareKeys('refusal', ['busy', 'notFound'], { busy: 'Busy.', gone: 'Gone.' })).toEqual([
    'the refusal "notFound" has no text',
    'the text "gone" is of no refusal',
  ])
})
