import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { findNameFault } from '../api/name-check.ts'
import { useText } from '../i18n/text.ts'
import classes from './BindForm.module.css'
import { useNameWords } from './use-name-words.ts'

interface BindFormProps {
  /** Form id, for the button that stands outside. */
  id: string
  domains: readonly string[]
  /** The service's answer to the last try. */
  refusal: string | undefined
  /** `reef@atoll.test`, or undefined while it cannot be one. */
  onChange(name: string | undefined): void
  onSubmit(): void
}

/** The desired ID; shows live whether it is well formed and free. */
export function BindForm({ id, domains, refusal, onChange, onSubmit }: BindFormProps) {
  const t = useText()
  const [local, setLocal] = useState('')
  const [domain, setDomain] = useState(domains[0] ?? '')
  const { error, words, tone } = useNameWords({ local, domain, refusal })
  const change = (nextLocal: string, nextDomain: string) => {
    setLocal(nextLocal)
    setDomain(nextDomain)
    onChange(nextLocal && !findNameFault(nextLocal) ? `${nextLocal}@${nextDomain}` : undefined)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form id={id} onSubmit={submit} className={classes.form} autoComplete="off">
      <TextInput
        label={t('bind.label')}
        value={local}
        onChange={(event) => change(event.currentTarget.value.trim().toLowerCase(), domain)}
        rightSection={<span className={classes.suffix}>@{domain}</span>}
        rightSectionWidth={`calc(${domain.length + 1}ch + 20px)`}
        rightSectionPointerEvents="none"
        error={Boolean(error)}
        aria-describedby={`${id}-said`}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        maxLength={64}
      />
      <p id={`${id}-said`} className={classes.said} role="status" data-tone={tone}>
        {words}
      </p>
      {domains.length > 1 && (
        <div className={classes.domains}>
          <span className={classes.label}>{t('bind.domain')}</span>
          <SegmentedControl
            fullWidth
            aria-label={t('bind.domain')}
            value={domain}
            onChange={(next) => change(local, next)}
            data={domains.map((each) => ({ value: each, label: each }))}
          />
        </div>
      )}
    </form>
  )
}
