import '@mantine/core/styles/NumberInput.layer.css'
import type { KeepRules } from '@atoll/contract/backups'
import { NumberInput } from '@mantine/core'
import { useText } from '../../locales/text.ts'
import classes from '../Backups.module.css'

const most = 1000

interface KeepFieldsProps {
  rules: readonly (keyof KeepRules)[]
  value: KeepRules
  onChange: (value: KeepRules) => void
  problem: string | undefined
  /** Four in a row: there is no first one to begin with. */
  isNarrow?: boolean
}

/** How many snapshots each rule keeps. */
export function KeepFields({ rules, value, onChange, problem, isNarrow = false }: KeepFieldsProps) {
  const t = useText()
  return (
    <>
      <div className={classes.counts} data-narrow={isNarrow || undefined}>
        {rules.map((rule, index) => (
          <NumberInput
            key={rule}
            data-autofocus={(!isNarrow && index === 0) || undefined}
            label={t(isNarrow ? `backups.keepNarrow.${rule}` : `backups.keepField.${rule}`)}
            value={value[rule]}
            onChange={(typed) => onChange({ ...value, [rule]: Number(typed) })}
            min={0}
            max={most}
            clampBehavior="strict"
            allowDecimal={false}
            allowNegative={false}
          />
        ))}
      </div>
      {problem && (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
