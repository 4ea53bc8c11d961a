import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { ChangeButton } from './ChangeButton.tsx'

const tab = vi.hoisted(() => ({ account: {}, button: {} as ComponentProps<'button'> }))
vi.mock('../../session/account-store.ts', () => ({ useCurrentAccount: () => tab.account }))
vi.mock('../../locales/text.ts', () => ({ useText: () => (key: string) => key }))
vi.mock('@mantine/core', () => ({
  Button: (props: ComponentProps<'button'>) => {
    tab.button = props
    return null
  },
}))

const press = vi.fn()

/** The properties that the button underneath is given, in a tab of `account`. */
function draw(account: { look?: object }): ComponentProps<'button'> {
  tab.account = account
  renderToStaticMarkup(
    <ChangeButton type="submit" disabled onClick={press}>
      Pay
    </ChangeButton>,
  )
  return tab.button
}

test('is as it is asked for in the console of the person', () => {
  expect(draw({})).toStrictEqual({ type: 'submit', disabled: true, onClick: press, children: 'Pay' })
})

test('does nothing, and says why, where staff look as the customer', () => {
  const { onClick, ...shown } = draw({ look: { accountId: 'ac_1' } })
  // One that is `disabled` cannot be reached, and shows no tip.
  expect(shown).toMatchObject({ 'aria-disabled': true, 'data-tip': 'action.whileLooking', disabled: false })
  const preventDefault = vi.fn()
  onClick?.({ preventDefault } as never) // all that it takes of an event
  expect(preventDefault, 'a form is not submitted').toHaveBeenCalledOnce()
  expect(press).not.toHaveBeenCalled()
})
