import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'
import { useLookRefusal } from '../browser/use-change-refusal.ts'
import { refusedButton } from '../menu/refused-button.ts'

type ChangeButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>

/** A button that changes something: staff who look as the customer see it off, with the reason. */
export function ChangeButton({ onClick, type, ...props }: ChangeButtonProps) {
  const refused = useLookRefusal()
  if (refused !== undefined) return <Button {...props} {...refusedButton(refused)} type="button" />
  return <Button {...props} {...(onClick && { onClick })} {...(type && { type })} />
}
