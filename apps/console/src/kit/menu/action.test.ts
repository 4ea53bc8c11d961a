import { IconX } from '@tabler/icons-react'
import { expect, test } from 'vitest'
import { type Action, openFirst } from './action.ts'

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
