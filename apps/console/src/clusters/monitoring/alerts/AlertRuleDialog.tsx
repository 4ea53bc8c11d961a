import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Checkbox.layer.css'
import { alertKindOf, clusterAlertSet, isLevelRule, longestAlertMinutes } from '@atoll/contract/observe'
import { Button, Checkbox, NumberInput } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { showToast } from '../../../data/show-toast.ts'
import { DialogFooter } from '../../../kit/dialog/DialogFooter.tsx'
import { FormDialog } from '../../../kit/dialog/FormDialog.tsx'
import { useCallForm } from '../../../kit/form/use-call-form.ts'
import { FailureNotice } from '../../../kit/page/FailureNotice.tsx'
import { type TextKey, useText } from '../../../locales/text.ts'
import { AlertPreview } from './AlertPreview.tsx'
import classes from './AlertRuleDialog.module.css'
import type { AlertRule } from './rule-words.ts'

const thresholds = {
  percent: 'alerts.threshold',
  intervals: 'alerts.thresholdIntervals',
  days: 'alerts.thresholdDays',
} as const satisfies Record<string, TextKey>

interface AlertRuleDialogProps extends AlertRuleFormProps {
  opened: boolean
}

/** When a rule fires and is over, whether it mails, and whether it is watched at all. */
export function AlertRuleDialog({ opened, ...props }: AlertRuleDialogProps) {
  const t = useText()
  const { rule, scope, onClose } = props
  return (
    <FormDialog opened={opened} onClose={onClose} title={t(`alertKinds.${rule.rule}.title`)} size={560}>
      <AlertRuleForm key={`${scope} ${JSON.stringify(rule)}`} {...props} />
    </FormDialog>
  )
}

interface AlertRuleFormProps {
  /** A cluster's id, or all clusters of the account. */
  scope: string
  /** As it is now. */
  rule: AlertRule
  onClose: () => void
  /** Above the fields: what the rule is about. */
  head?: ReactNode
}

function AlertRuleForm({ scope: clusterId, rule, onClose, head }: AlertRuleFormProps) {
  const t = useText()
  const { rule: name, isOn, mail, forMinutes, threshold, clearBelow } = rule
  const { unit } = alertKindOf(name)
  const { form, field, submit, isPending, error, giveUp } = useCallForm(clusterAlertSet, {
    rest: { clusterId, rule: name },
    values: {
      isOn,
      mail,
      forMinutes,
      ...(threshold !== null && { threshold }),
      ...(clearBelow !== null && { clearBelow }),
    } as { isOn: boolean; mail: boolean; forMinutes: number; threshold: number; clearBelow: number }, // those it has
  })
  // However it is closed, nothing is tried again for it.
  useEffect(() => giveUp, [giveUp])
  const saved = () => {
    onClose()
    showToast({ kind: 'success', text: t('alerts.saved') })
  }
  const whole = { allowDecimal: false, allowNegative: false, hideControls: true } as const
  const percent = unit === 'percent' && {
    rightSection: <span className={classes.unit}>{t('alerts.percentUnit')}</span>,
    max: 99,
  }
  return (
    <form className={classes.form} onSubmit={submit(saved)} noValidate>
      {head}
      <Checkbox {...form.getInputProps('isOn', { type: 'checkbox' })} label={t('alerts.watch')} />
      <div className={classes.fields}>
        {threshold !== null && (
          <NumberInput
            {...field('threshold')}
            {...whole}
            {...percent}
            label={t(thresholds[unit ?? 'percent'])}
            min={1}
            clampBehavior="none"
            disabled={!form.values.isOn}
          />
        )}
        <NumberInput
          {...field('forMinutes')}
          {...whole}
          label={t('alerts.minutes')}
          min={1}
          max={longestAlertMinutes}
          clampBehavior="none"
          rightSection={<span className={classes.unit}>{t('alerts.minutesUnit')}</span>}
          rightSectionWidth={48}
          disabled={!form.values.isOn}
        />
        {clearBelow !== null && (
          <NumberInput
            {...field('clearBelow')}
            {...whole}
            {...percent}
            label={t('alerts.clearBelow')}
            min={1}
            clampBehavior="none"
            disabled={!form.values.isOn}
          />
        )}
      </div>
      {isLevelRule(name) && form.values.isOn && (
        <AlertPreview
          title={t(`alertKinds.${name}.title`)}
          choice={{
            clusterId,
            rule: name,
            forMinutes: form.values.forMinutes,
            threshold: form.values.threshold,
            clearBelow: form.values.clearBelow,
          }}
        />
      )}
      <Checkbox
        {...form.getInputProps('mail', { type: 'checkbox' })}
        label={t('alerts.mail')}
        description={t('alerts.mailHelp')}
        disabled={!form.values.isOn}
      />
      <FailureNotice error={error} />
      <DialogFooter>
        <Button onClick={onClose}>{t('alerts.keep')}</Button>
        <Button type="submit" variant="filled" loading={isPending}>
          {t('alerts.save')}
        </Button>
      </DialogFooter>
    </form>
  )
}
