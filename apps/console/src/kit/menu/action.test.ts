import { IconX } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import type { Translate } from '../../locales/text.ts'
import { type Action, nameAction, openFirst } from './action.ts'

const action = (key: string, disabledReason?: string): Action => ({
  key,
  label: key,
  icon: IconX,
  place: 'menu',
  onSelect: () => undefined,
  ...(disabledReason && { disabledReason }),
})

test('what can be done comes before what is refused, each in its order', () => {
  const actions = [
    action('start', 'It is running already.'),
    action('restart'),
    action('activate', 'No.'),
    action('stop'),
  ]
  expect(openFirst(actions).map(({ key }) => key)).toEqual(['restart', 'stop', 'start', 'activate'])
})

test('an action of one of several names its object, a verb before it', () => {
  const t: Translate = (key, values) => `${key} ${Object.values(values ?? {}).join(' ')}`
  expect(nameAction(action('restart'), 'Rangiroa', t)).toBe('common.actOn restart Rangiroa')
  expect(nameAction(action('pay'), 'Rangiroa', t)).toBe('common.labelled Rangiroa pay')
})
