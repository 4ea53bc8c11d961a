import type { ChoiceProps } from '../../kit/confirm/confirm.ts'
import classes from '../../kit/dialog/Dialog.module.css'
import { ChoiceCard } from '../../kit/form/ChoiceCard.tsx'
import { useText } from '../../locales/text.ts'

/** A worker goes after it has finished what it began, or at once. */
export function DrainField({ value, onChange }: ChoiceProps) {
  const t = useText()
  return (
    <div className={classes.choices} role="radiogroup" aria-label={t('dialog.drainLabel')}>
      <ChoiceCard group="drain" value="drain" mark="left" chosen={value} onChoose={() => onChange(true)}>
        <span className={classes.choice}>{t('dialog.drain')}</span>
        <span className={classes.choiceHelp}>{t('dialog.drainHelp')}</span>
      </ChoiceCard>
      <ChoiceCard group="drain" value="now" mark="left" chosen={!value} onChoose={() => onChange(false)}>
        <span className={classes.choice}>{t('dialog.drainNot')}</span>
        <span className={classes.choiceHelp}>{t('dialog.drainNotHelp')}</span>
      </ChoiceCard>
    </div>
  )
}
