import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentProps, MouseEvent } from 'react'
import { useLookRefusal } from '../browser/use-change-refusal.ts'
import { refusedButton } from '../menu/refused-button.ts'

type ChangeButtonProps = ButtonProps & Omit<ComponentProps<'button'>, keyof ButtonProps>

/** Enter in a field of a form presses its button, too. */
const doNothing = (event: MouseEvent) => event.preventDefault()

/** A button that changes or downloads something: staff who look as the customer see it off, with the reason. */
export function ChangeButton(props: ChangeButtonProps) {
  const refused = useLookRefusal()
  if (refused === undefined) return <Button {...props} />
  return <Button {...props} {...refusedButton(refused)} disabled={false} onClick={doNothing} onKeyDown={undefined} />
}
