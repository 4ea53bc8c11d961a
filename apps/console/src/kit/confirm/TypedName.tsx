import { Button, TextInput, type TextInputProps, Tooltip } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from '../dialog/Dialog.module.css'

interface TypedNameFieldProps extends TextInputProps {
  /** The name to be typed. */
  name: string
}

/** Asks for the name of what is about to be destroyed or handed over. */
export function TypedNameField({ name, ...field }: TypedNameFieldProps) {
  const t = useText()
  return (
    <TextInput
      {...field}
      className={classes.field}
      data-autofocus
      label={
        <>
          {t('dialog.destroyTypeBefore')}
          <span className={classes.typed}>{name}</span>
          {t('dialog.destroyTypeAfter')}
        </>
      }
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
    />
  )
}

interface ArmedButtonProps {
  /** Whether the name was typed; before that the button says what it waits for. */
  armed: boolean
  danger: boolean
  loading: boolean
  children: string
}

/** Submits a form that cannot be undone. It can be reached by keyboard before it is armed, so that its tip is read. */
export function ArmedButton({ armed, danger, loading, children }: ArmedButtonProps) {
  const t = useText()
  return (
    <Tooltip label={armed ? '' : t('dialog.destroyMismatch')} disabled={armed}>
      <Button
        type="submit"
        variant={danger ? 'danger' : 'filled'}
        {...(!armed && { 'data-disabled': true })}
        aria-disabled={!armed}
        loading={loading}
      >
        {children}
      </Button>
    </Tooltip>
  )
}
