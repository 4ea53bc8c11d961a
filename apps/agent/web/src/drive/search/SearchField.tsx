import { ActionIcon, TextInput } from '@mantine/core'
import { IconSearch, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import { useText } from '../../i18n/text.ts'
import classes from './Search.module.css'

interface SearchFieldProps {
  /** Of the folder that is searched. */
  folder: string
  value: string
  onChange(value: string): void
}

/** Takes what to search for; Escape empties it. */
export function SearchField({ folder, value, onChange }: SearchFieldProps) {
  const t = useText()
  const field = useRef<HTMLInputElement>(null)
  const label = t('search.label', { folder })
  const clear = () => {
    onChange('')
    field.current?.focus()
  }
  return (
    <search className={classes.field}>
      <TextInput
        ref={field}
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size={16} stroke={1.6} aria-hidden="true" />}
        rightSection={
          value !== '' && (
            <ActionIcon aria-label={t('search.clear')} onClick={clear}>
              <IconX size={16} stroke={1.6} aria-hidden="true" />
            </ActionIcon>
          )
        }
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && clear()}
      />
    </search>
  )
}
