import { Button, type ButtonProps } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSurroundings } from '../../kit/browser/use-surroundings.ts'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useText } from '../../locales/text.ts'
import { useCreateWaits } from './use-create-waits.ts'

/** Leads to the order of a cluster; while a bill is past due it leads nowhere, and says why. */
export function CreateButton(props: ButtonProps) {
  const t = useText()
  const { create } = useSurroundings()
  const waits = useCreateWaits()
  return (
    <Button
      {...props}
      {...refusedButton(waits)}
      renderRoot={(root) => (waits === undefined ? <Link {...root} to={create} /> : <button type="button" {...root} />)}
    >
      {t('home.create')}
    </Button>
  )
}
