import { Button, type ButtonProps } from '@mantine/core'
import { refusedButton } from '../../kit/menu/refused-button.ts'
import { useOperatorsOnly } from '../approve/use-operators-only.ts'

interface OperatorButtonProps extends ButtonProps {
  onClick: () => void
  /** Why it cannot be pressed by an operator either. */
  refusal?: string | undefined
  'aria-label'?: string
}

/** A button that support sees and cannot press. */
export function OperatorButton({ onClick, refusal, ...props }: OperatorButtonProps) {
  const refused = useOperatorsOnly() ?? refusal
  return <Button {...props} {...refusedButton(refused)} onClick={refused === undefined ? onClick : undefined} />
}
