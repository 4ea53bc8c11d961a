import { TextInput } from '@mantine/core'
import { useText } from '../../../locales/text.ts'
import classes from '../../offers/Offers.module.css'
import type { OrderForm } from '../use-order-form.ts'

/** The name of the new cluster, with what is wrong with it. */
export function NameField({ order: { field, keepName } }: { order: OrderForm }) {
  const t = useText()
  const props = field('name', t('create.nameHelp'))
  return (
    <TextInput
      {...props}
      className={classes.name ?? ''}
      aria-label={t('create.name')}
      maxLength={64}
      autoComplete="off"
      spellCheck={false}
      onBlur={(event) => {
        props.onBlur?.(event)
        keepName()
      }}
    />
  )
}
