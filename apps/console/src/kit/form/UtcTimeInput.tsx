import { TextInput } from '@mantine/core'

interface UtcTimeInputProps {
  label: string
  /** As the field has it: see `utcTime`. */
  value: string
  onChange: (value: string) => void
}

/** A day and a time, which the label says are UTC. Without a latest day, browsers take years of six digits. */
export function UtcTimeInput({ label, value, onChange }: UtcTimeInputProps) {
  return (
    <TextInput
      type="datetime-local"
      label={label}
      value={value}
      max="9999-12-31T23:59"
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
