import { TextInput } from '@mantine/core'
import type { NameProblem } from '../../components/cluster/cluster-name.ts'
import classes from '../../components/offers/Offers.module.css'
import { useText } from '../../i18n/text.ts'

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
