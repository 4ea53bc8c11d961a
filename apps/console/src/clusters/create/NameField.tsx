import { TextInput } from '@mantine/core'
import { useText } from '../../kit/i18n/text.ts'
import type { NameProblem } from '../card/cluster-name.ts'
import classes from '../offers/Offers.module.css'

interface NameFieldProps {
  value: string
  onChange: (name: string) => void
  onBlur: () => void
  problem: NameProblem | undefined
}

/** The name of the new cluster, with what is wrong with it. */
export function NameField({ value, onChange, onBlur, problem }: NameFieldProps) {
  const t = useText()
  return (
    <TextInput
      className={classes.name ?? ''}
      label={t('create.name')}
      value={value}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onBlur}
      description={problem ? undefined : t('create.nameHelp')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={
        problem ? t(problem === 'taken' ? 'create.nameTaken' : 'create.nameInvalid', { name: value.trim() }) : undefined
      }
    />
  )
}
