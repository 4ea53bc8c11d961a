import { Button, type ButtonProps } from '@mantine/core'
import type { ComponentPropsWithoutRef } from 'react'

type BigButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps>

/** The 52 px button of the wallet, as wide as its column. */
export function BigButton(props: BigButtonProps) {
  return <Button size="xl" fullWidth type="button" {...props} />
}
